// Applies the visitor's theme before the first paint, so that the other theme does not flash.
try {
  const theme = localStorage.getItem("quire-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the theme of the site applies.
}
