"use strict";
// Both pages are whole without this. It refreshes the status page's parts every 2 seconds while
// somebody looks, and lets the inspector answer as one types. It asks nobody but the server that
// the page came from.

const REFRESH_MS = 2000;
const LATE_MS = 7000;
const TYPING_MS = 150;

// The page at this address, as a document; throws where the server says no, or takes too long.
async function fetched(address, signal) {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin", cache: "no-store", signal });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// Why there is no page, in words.
function reason(problem) {
  const isSilent = problem.name === "TimeoutError" || problem instanceof TypeError;
  return isSilent ? "the service does not answer" : problem.message;
}

// Whether somebody reads in this part in a way that new content would disturb: text is selected, or
// a control has the focus.
function isInUse(part) {
  const selection = document.getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
  return isSelected || part.contains(document.activeElement);
}

function refreshStatus() {
  const note = document.getElementById("refresh");
  const live = document.getElementById("live");
  const asOf = note.querySelector("time");
  let timer;

  async function refresh() {
    clearTimeout(timer);
    if (document.hidden) return;
    try {
      const fresh = await fetched(location.href, AbortSignal.timeout(LATE_MS));
      for (const part of document.querySelectorAll("[data-live]")) {
        const other = fresh.getElementById(part.id);
        if (other !== null && other.innerHTML !== part.innerHTML && !isInUse(part)) part.replaceChildren(...other.childNodes);
      }
      const { textContent, dateTime, title } = fresh.querySelector("#refresh time");
      Object.assign(asOf, { textContent, dateTime, title });
      document.title = fresh.title;
      say(", refreshed every 2 s", false);
    } catch (problem) {
      document.title = "No answer · saiban";
      say(`: ${reason(problem)}, asked every 2 s`, true);
    }
    clearTimeout(timer);
    timer = setTimeout(refresh, REFRESH_MS);
  }

  // Who listens is reported when the service stops answering, not every 2 seconds that it does.
  function say(words, isLate) {
    if (live.textContent === words) return;
    if (isLate) note.setAttribute("role", "alert");
    else note.removeAttribute("role");
    document.body.classList.toggle("stale", isLate);
    live.textContent = words;
  }

  say(", refreshed every 2 s", false);
  document.addEventListener("visibilitychange", refresh);
  timer = setTimeout(refresh, REFRESH_MS);
}

function answerWhileTyping() {
  const form = document.getElementById("ask");
  const field = document.getElementById("id");
  const answered = document.getElementById("answer");
  const said = document.getElementById("said");
  let asked = field.value.trim();
  let request = new AbortController();
  let timer;

  async function answer() {
    clearTimeout(timer);
    const id = field.value.trim();
    if (id === asked) return;
    asked = id;
    request.abort();
    request = new AbortController();
    const address = id === "" ? "/inspect" : `/inspect?id=${encodeURIComponent(id)}`;
    try {
      const fresh = await fetched(address, AbortSignal.any([request.signal, AbortSignal.timeout(LATE_MS)]));
      answered.replaceChildren(...fresh.getElementById("answer").childNodes);
      said.textContent = fresh.getElementById("said").textContent;
      document.title = fresh.title;
      if (fresh.getElementById("id").hasAttribute("aria-invalid")) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
      history.replaceState(null, "", address);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      // Asked again with the next letter, or by the button, which shows what the server says.
      asked = null;
      const words = document.createElement("p");
      words.className = "refused";
      words.textContent = `There is no answer: ${reason(problem)}.`;
      answered.replaceChildren(words);
      said.textContent = words.textContent;
    }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(answer, TYPING_MS);
  });
  form.addEventListener("submit", (event) => {
    if (asked === null) return;
    event.preventDefault();
    answer();
  });
}

if (document.body.classList.contains("status")) refreshStatus();
else answerWhileTyping();
