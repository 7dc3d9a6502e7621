// Before the first paint: light or dark as chosen here, or as the system's. The browser stores nothing else.
const chosenTheme = localStorage.getItem('console-theme')
if (chosenTheme === 'light' || chosenTheme === 'dark') document.documentElement.dataset.theme = chosenTheme
