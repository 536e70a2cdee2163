// Light or dark, before anything is drawn: a classic script in the head, so that nothing flashes. Next: app.js.

try {
  const chosen = localStorage.getItem("turnwise:theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* a browser that keeps nothing goes by the system */ }
