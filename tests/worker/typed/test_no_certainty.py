"""What looks as if a table answered it, and is asked otherwise: nothing is composed then.

Each was composed once, wrongly, for a reviewer who had set out to break it.
"""

from __future__ import annotations

import pytest
from composed import line, table
from wiki import hit, page, piece

from core.models import Hit, Kind
from core.structure import ListItem, Neighbour, NeighbourLine

BIKES = page("1", "Bike shed")


def beside(shown: Hit, text: str) -> Hit:
    """The same table, with this sentence under it."""
    behind = Neighbour(id="next", lines=(NeighbourLine(text=text),))
    return hit(shown.evidence.model_copy(update={"after": behind}), shown.page)


SPACES = table(("Site", "Spaces"), ("Ghent", "85"), ("Malmö", "12"), on=BIKES)
CHECKED = table(
    ("Driver", "Licence checked"), ("Eva Roth", "5 May 2026"), ("Jan Pohl", "3 June 2026")
)
CODES = table(("Door", "Code"), ("Archive", "4471"), ("Canteen", "2290"), heading_path=("Codes",))
FLEET = table(
    ("Truck", "Fuel", "Inspection due", "Toll a month", "Home"),
    ("T1", "diesel", "5 May 2026", "€ 102", "Ghent"),
    ("T2", "electric", "3 June 2027", "€ 0", "Ghent / Malmö"),
    ("T3", "electric", "9 July 2026", "€ 90", "Malmö"),
    heading_path=("Trucks",),
)
LIMITS = table(
    ("Buyer", "Limit per order", "Deputy"),
    ("Eva Roth", "€ 20,000", "Jan Pohl"),
    ("Lea Kern", "€ 5,000", "Ute Brandt"),
)
TICKETS = table(
    ("Ticket", "Priority", "Version"),
    ("Lamp", "4", "7.4"),
    ("Leak", "1", "2.11"),
    heading_path=("Tickets",),
)
STAFF = table(
    ("Site", "Staff"),
    ("Ghent", "118"),
    ("Malmö", "94"),
    ("All sites", "212"),
    heading_path=("Staff",),
)
DRYERS = table(("Dryer", "Load"), ("D1–D4", "30 kg"), ("D5", "20 kg"), heading_path=("Dryers",))
CARTS = table(
    ("Cart", "Number of carts"), ("Roll cart", "220"), ("Tilt cart", "90"), heading_path=("Carts",)
)
VISITORS = table(("Area", "Wear"), ("Roof", "harness"), heading_path=("Not for visitors",))
ALARMS = table(
    ("Alarm", "Number"),
    ("Fire", "9911"),
    ("Theft", "9922"),
    heading_path=("Alarms that are switched off",),
)
SPEEDS = table(
    ("Folder", "Speed"),
    ("F1", "900"),
    on=page("2", "Folders of Ghent and Malmö, 2025 to 2026"),
    heading_path=("Ghent",),
)
DESKS = table(
    ("Colleague", "Desk"), ("Eva Roth", "2.14"), ("Jan Pohl", "3.02"), heading_path=("Desks",)
)
LOST = table(("Customer", "Reason"), ("Arkade", "price"), heading_path=("Customers that we lost",))
PLANNED = table(("Switch", "Ports", "State"), ("S1", "48", "planned"), ("S2", "24", "in use"))
COUNTRIES = table(("Country", "Budget"), ("US", "€ 30,000"), ("UK", "€ 20,000"))
PRICES = table(("Item", "Price"), ("Sheet", "€ 0.88"), ("Towel", "€ 0.62"))
WASTE = table(("Plant", "Limit (until June 2026)", "New limit"), ("Ghent", "90 m³", "75 m³"))
TURNOVER = table(("Year", "Turnover"), ("2023", "€ 2.1 m"), ("2024", "€ 2.4 m to 3 m"))

RENTALS = table(
    ("Item", "Price (without VAT)", "Weekend surcharge", "Notice (months)"),
    ("Lamp", "€ 45", "€ 12", "3"),
    ("Desk", "€ 30", "€ 5", "1"),
)
FEES = table(
    ("Service", "Fee 2025", "New fee"), ("Delivery", "€ 80", "€ 95"), ("Return", "€ 70", "")
)
HOMES = table(
    ("Trailer", "Home", "Stand-in"),
    ("T1", "Ghent", "Malmö"),
    ("T2", "Malmö", "Ghent"),
    ("T3", "Ghent", "Ghent"),
)
OFFICES = table(
    ("Site", "Phone"), ("Ghent", "41"), ("Malmö", "52"), heading_path=("Offices and warehouses",)
)
BRIDGE = table(
    ("Place", "Hours"), ("Canteen", "12:00–13:00"), heading_path=("Hours on bridge days",)
)
VANS = table(
    ("Vehicle", "State"),
    ("Van (early)", "in use"),
    ("Van (late)", "in use"),
    heading_path=("Vehicles",),
)
SOLD = table(("Vehicle", "State"), ("Van", "in use"), ("Truck", "sold"), heading_path=("Vehicles",))
HEADS = table(("Year", "Employees"), ("2024", "188"), ("2025", "203"), heading_path=("Employees",))
PAID = table(("Program", "Amount", "Currency"), ("Figma", "540", "EUR"), ("Slack", "900", "USD"))
ROOMS = table(("Site", "Meeting rooms"), ("Ghent", "6"), ("Malmö", "4"))
CLOUD = table(
    ("Month", "Cost"), ("March", "€ 12"), ("April", "€ 14"), on=page("5", "Subscriptions")
)
WIFI = table(("Network", "Changed on"), ("Guest", "3 May 2026"), heading_path=("Wi-Fi passwords",))
DEPOTS = table(
    ("Container", "Place"), ("North", "yard"), ("South", "quay"), on=page("6", "Depot stock")
)
LYNX = table(
    ("", ""), ("Budget", "€ 80,000"), ("Manager", "Lena Orth"), on=page("4", "Project Lynx")
)
HOURS = table(("Place", "Friday", "Saturday"), ("Office", "8:00–14:00", "closed"))
MACHINES = table(("Machine", "Speed"), ("Merlin", "900"), heading_path=("Standard AM-01",))
RISKS = table(("Risk", "Description"), ("Delay", "the vendor delivers late"))
OLD = table(
    ("City", "Hotel"),
    ("Paris", "€ 140"),
    on=page("8", "Travel 2024", updated_at="2026-01-05T08:00:00Z"),
)
LINKS = hit(piece("Call us.", "9"), page("9", "Responsible for Ghent"))
FIGURES = table(("Name", "Desk"), ("Eva Roth", "2.14"), ("n.n.", "3.02"), heading_path=("Desks",))


@pytest.mark.parametrize(
    ("question", "on"),
    [
        ("weekend price of the lamp", RENTALS),  # another column has the word
        ("price per month of the lamp", RENTALS),
        ("price of the lamp with VAT", RENTALS),
        ("What is the fee for delivery?", FEES),
        ("Which trailers are in Ghent?", HOMES),  # which of the two columns?
        ("phone of the Ghent warehouse", OFFICES),
        ("hours of the canteen", BRIDGE),
        ("How many vehicles are there?", VANS),
        ("How many vehicles are there?", SOLD),
        ("How many employees in total?", HEADS),  # the same ones, each year
        ("total amount", PAID),
        ("Which site has the most meetings?", ROOMS),
        ("Which subscription is the cheapest?", CLOUD),
        ("Wi-Fi password of Guest", WIFI),
        ("total price", PRICES),
        ("What is the budget?", LYNX),
        ("When does the office close on Friday?", HOURS),
        ("How many depots are there?", DEPOTS),
        ("What is the delay?", RISKS),
        ("hotel Paris", OLD),
        ("How fast is the link to Ghent?", LINKS),
        ("desk of Eva Roth", beside(FIGURES, "Eva Roth has left; Lea Kern took over.")),
        ("desk of Eva Roth", beside(FIGURES, "Desk of Eva Roth is out of order.")),
        ("desk of Eva Roth", beside(FIGURES, "Ab 1. Juni sitzt hier die Technik.")),
        ("Who works in Ghent?", SPACES),  # of two columns the other is not what is asked for
        ("How do I get to Ghent?", SPACES),
        ("How far is Ghent?", SPACES),
        ("How old is Ghent?", SPACES),
        ("Which is bigger, Ghent or Malmö?", SPACES),
        ("When is Eva Roth there?", CHECKED),
        ("When does Jan Pohl work?", CHECKED),
        ("Who is the oldest driver?", CHECKED),
        ("Who has the canteen?", CODES),
        ("How big is the canteen?", CODES),
        ("How many codes does the canteen have?", CODES),  # a name, and no number of them
        ("How many desks does Eva Roth have?", DESKS),
        ("How many versions are there in total?", TICKETS),
        ("Which ticket has the highest priority?", TICKETS),
        ("Which ticket has the highest version?", TICKETS),
        ("Which is the oldest truck?", FLEET),  # not what was looked at first
        ("Which truck is the cheapest?", FLEET),
        ("How many trucks are in Ghent?", FLEET),  # one of them is there, too
        ("Which trucks are in Malmö?", FLEET),
        ("Which site has the most staff?", STAFF),
        ("How many staff in total?", STAFF),
        ("How many dryers are there?", DRYERS),
        ("How many carts are there?", CARTS),
        ("What do visitors wear on the roof?", VISITORS),
        ("fire alarm number", ALARMS),
        ("speed of F1 in Malmö", SPEEDS),  # the title has both
        ("speed of F1 in 2026", SPEEDS),
        ("How many colleagues are there?", DESKS),  # a list of desks is none of colleagues
        ("How many customers are there?", LOST),
        ("Which switch has the most ports?", PLANNED),
        ("ports of S1", PLANNED),
        ("What is the budget for us?", COUNTRIES),
        ("limit per order of Jan Pohl", LIMITS),  # he stands there as a deputy
        ("Whose deputy is Eva Roth?", LIMITS),
        ("Who is Eva Roth deputy of?", LIMITS),
        ("Who is Lea Kern?", LIMITS),
        ("What was the price of a sheet?", PRICES),
        ("Why is the price of a sheet?", PRICES),
        ("Which year had the lowest turnover?", TURNOVER),
        ("limit Ghent", WASTE),
        ("price of a sheet", beside(PRICES, "From June on the sheet costs € 0.93.")),
        ("price of a towel", beside(PRICES, "All prices will rise by two percent.")),
    ],
)
def test_nothing_is_certain_where_a_word_asks_for_something_else(question: str, on: Hit) -> None:
    assert line(question, on) == ""


@pytest.mark.parametrize(
    ("question", "on", "said"),
    [
        ("How many spaces are there in Ghent?", SPACES, "Spaces of Ghent: 85"),
        ("price (without VAT) of the desk", RENTALS, ""),
        ("price of the desk", RENTALS, "Price (without VAT) of Desk: € 30"),
        ("weekend surcharge lamp", RENTALS, "Weekend surcharge of Lamp: € 12"),
        ("budget of Lynx", LYNX, "Project Lynx, Budget: € 80,000"),
        ("office on Friday", HOURS, "Friday of Office: 8:00–14:00"),
        ("speed of Merlin", MACHINES, "Speed of Merlin: 900"),
        ("phone Ghent", OFFICES, "Phone of Ghent: 41"),
        ("hours of the canteen on bridge days", BRIDGE, "Hours of Canteen: 12:00–13:00"),
        ("What is the code of the canteen?", CODES, "Code of Canteen: 2290"),
        ("When was the licence of Eva Roth checked?", CHECKED, ""),
        ("licence checked Eva Roth", CHECKED, "Licence checked of Eva Roth: 5 May 2026"),
        ("Which truck is electric?", FLEET, "T2, T3 (Fuel: electric)"),
        ("limit per order of Eva Roth", LIMITS, "Eva Roth, Limit per order: € 20,000"),
        ("Who is the deputy of Eva Roth?", LIMITS, "Deputy of Eva Roth: Jan Pohl"),
        ("How many ports does S2 have?", PLANNED, "Ports of S2: 24"),
        ("speed of F1 in Ghent", SPEEDS, "Speed of F1: 900"),
        ("What is the budget for the US?", COUNTRIES, "Budget of US: € 30,000"),
        ("What does a towel cost?", PRICES, "Price of Towel: € 0.62"),
        (
            "price of a towel",
            beside(PRICES, "From June on the sheet costs € 0.93."),
            "Price of Towel: € 0.62",
        ),
    ],
)
def test_what_is_asked_of_the_same_tables_is_composed(question: str, on: Hit, said: str) -> None:
    assert line(question, on) == said


@pytest.mark.parametrize("question", ["What is the deadline?", "What is overtime?"])
def test_a_rule_behind_a_word_is_not_its_meaning(question: str) -> None:
    items = (
        ListItem(text="Deadline: before the end of each shift", mark="• "),
        ListItem(text="Overtime: only with consent of the lead", mark="• "),
    )
    rules = piece("\n".join(each.text for each in items), kind=Kind.LIST, items=items)
    assert line(question, hit(rules)) == ""


def test_the_date_of_a_page_is_not_that_of_the_thing_that_it_is_about() -> None:
    passwords = hit(
        piece("It is on the card.", "7"),
        page("7", "Guest password", updated_at="2026-02-10T08:00:00Z"),
    )
    assert line("When was the guest password changed?", passwords) == ""
    assert "Feb 10" in line("When was the guest password page changed?", passwords)
