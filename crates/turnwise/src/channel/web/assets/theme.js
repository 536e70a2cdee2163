// Light or dark by a person's choice, as early as can be: a script by itself, so that it waits for nothing. Next: app.js.

try {
  const chosen = localStorage.getItem("turnwise:theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* a browser that keeps nothing goes by the system */ }
