// Before the first paint: light or dark as chosen here, or as the system has it. Nothing else is kept in the browser.
const chosenTheme = localStorage.getItem('console-theme')
if (chosenTheme === 'light' || chosenTheme === 'dark') document.documentElement.dataset.theme = chosenTheme
