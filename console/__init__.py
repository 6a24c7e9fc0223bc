"""The operator's console: what people asked, what the wiki lacks, what it costs, in a browser.

app         the routes: every room, and who may enter it
rooms       what is shown in each room
guard       what every request has to pass: session, role, CSRF, host
sessions    links that work once, and sessions that end
rendering   templates, and the headers that keep a page to itself
charts      pictures of numbers
parts       what a console is made of
reports     the numbers, from SQL; they know nothing of the web
"""
