// The workspace page: sends what people do to the control API, and puts in place what the server renders.
"use strict";

const body = document.body;
const at = (id) => document.getElementById(id);
const shown = {};
let answering = null; // root of a question just asked here: its thread opens with the first reply

const place = () => (body.dataset.team ? { team: body.dataset.team } : {}); // another workspace than the first
const seat = () => new URLSearchParams({ as: body.dataset.user, channel: body.dataset.channel, thread: body.dataset.thread, ...place() });

async function order(name, given) {
  const response = await fetch("/sandbox/" + name, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ user: body.dataset.user, ...place(), ...given }),
  });
  const answer = await response.json();
  if (!answer.ok) notice(answer.error.replaceAll("_", " "));
  return answer;
}

function notice(text) {
  at("notice").textContent = text;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { at("notice").textContent = ""; }, 5000);
}

// --- what the server renders

async function refresh(jump = false) {
  const parts = await (await fetch("/page?" + seat())).json();
  for (const id of ["sidebar", "title", "messages", "thread"]) put(id, parts[id], jump);
  putModal(parts.modal);
  document.querySelector(".side-pane").hidden = !body.dataset.thread;
  history.replaceState(null, "", "?" + seat());
}

function put(id, html, jump) {
  if (shown[id] === html && !jump) return;
  const place = at(id);
  const low = place.scrollHeight - place.scrollTop - place.clientHeight < 80;
  const focus = place.contains(document.activeElement) ? key(document.activeElement) : null;
  place.innerHTML = shown[id] = html;
  if (jump || (low && !fromTop(place))) rest(place);
  if (focus) [...place.querySelectorAll("button, a, select")].find((element) => key(element) === focus)?.focus();
}

// A conversation is read from its end, a Home tab from its top.
const fromTop = (place) => body.dataset.channel === "home" && place.id === "messages";
const rest = (place) => { place.scrollTop = fromTop(place) ? 0 : place.scrollHeight; };

// The same button before and after a refresh.
const key = (element) => [element.closest("[data-ts]")?.dataset.ts, ...Object.values(element.dataset), element.className.includes("chip")].join("|");

function putModal(html) {
  const modal = at("modal");
  if (shown.modal === html) return;
  shown.modal = html;
  modal.innerHTML = html;
  if (html.trim() && !modal.open) modal.showModal();
  if (!html.trim() && modal.open) modal.close();
}

let waiting = null;
function soon() {
  waiting ??= setTimeout(async () => { waiting = null; await refresh(); openAnswer(); }, 40);
}

function openAnswer() {
  if (answering && document.querySelector(`#messages [data-ts="${answering}"] .replies`)) openThread(answering);
}

function openThread(root) {
  answering = null;
  body.dataset.thread = root;
  refresh(true);
}

function go(channel) {
  Object.assign(body.dataset, { channel, thread: "" });
  body.classList.remove("menu-open");
  at("say").placeholder = "Message " + (["dm", "home"].includes(channel) ? "groundwire" : "#" + channel);
  if (channel === "dm") order("open", {});
  if (channel === "home") order("home", {});
  refresh(true);
}

// --- what people do

const where = (element) => { const { channel, ts, root } = element.closest("[data-ts]").dataset; return { channel, ts, root }; };
const isMine = (element) => [...element.closest("[data-ts]").querySelectorAll(".chip.mine")].some((chip) => chip.dataset.name === element.dataset.name);

const doings = {
  go: (element) => go(element.dataset.to),
  menu: () => body.classList.toggle("menu-open"),
  leave: () => { body.dataset.thread = ""; refresh(); },
  thread: (element) => { openThread(where(element).root); at("reply").focus(); },
  react: (element) => order(isMine(element) ? "unreact" : "react", { ...where(element), name: element.dataset.name }),
  prompt: (element) => say(element.dataset.text),
  stop: (element) => order("stop", { channel: currentChannel(), thread_ts: element.dataset.root }),
  close: () => order("close", { view_id: at("modal").querySelector("form").dataset.view }),
  click: (element) => {
    if (element.dataset.confirm && !confirm(element.dataset.confirm)) return;
    press(element, element.dataset.value ?? null);
  },
};

function press(element, value) {
  const view = element.closest("[data-view]")?.dataset.view;
  const given = { action_id: element.dataset.action, value };
  return view ? order("press", { view_id: view, ...given }) : order("click", { ...where(element), ...given });
}

const currentChannel = () => document.querySelector("#messages [data-channel]").dataset.channel;

async function say(text, thread_ts = null) {
  const given = ["dm", "home"].includes(body.dataset.channel) ? { dm: true } : { channel: body.dataset.channel };
  if (text.startsWith("/")) return order("command", { ...given, text });
  const answer = await order("say", { ...given, text, thread_ts });
  if (answer.ok && !thread_ts) answering = answer.ts;
}

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-do]");
  if (element && element.tagName !== "SELECT") doings[element.dataset.do]?.(element);
});

document.addEventListener("change", (event) => {
  if (event.target.id === "who") {
    body.dataset.user = event.target.value;
    refresh(true);
  } else if (event.target.dataset.do === "choose" && event.target.value) {
    press(event.target, event.target.value);
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.matches(".composer")) send(event.target);
  if (event.target.matches(".modal-form")) submit(event.target);
});

async function send(form) {
  const box = form.querySelector("textarea");
  const text = box.value.trim();
  if (!text) return;
  box.value = "";
  await say(text, form.dataset.for === "thread" ? body.dataset.thread : null);
  const list = at(form.dataset.for === "thread" ? "thread" : "messages");
  list.scrollTop = list.scrollHeight;
}

async function submit(form) {
  const values = {};
  for (const name of new Set([...form.elements].map((element) => element.name).filter(Boolean))) {
    const all = new FormData(form).getAll(name);
    const many = form.querySelector(`[name="${CSS.escape(name)}"]`).matches("[multiple], [type=checkbox]");
    values[name] = many ? all : (all[0] ?? null);
  }
  const { answer } = await order("submit", { view_id: form.dataset.view, values });
  for (const place of form.querySelectorAll("[data-error]")) place.textContent = answer?.errors?.[place.dataset.error] ?? "";
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches(".composer textarea") && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
  if (event.key === "Escape" && !at("modal").open && body.dataset.thread) doings.leave();
});

at("modal").addEventListener("cancel", (event) => { event.preventDefault(); doings.close(); });

// --- live

const news = new EventSource("/sandbox/events");
news.onmessage = soon;
news.onopen = soon;
document.querySelectorAll(".list").forEach(rest);
if (at("modal").querySelector("form")) at("modal").showModal();
