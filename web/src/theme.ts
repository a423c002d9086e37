// SPDX-License-Identifier: MIT
// Dark or light: the system's choice, or the one that was made on a page of this server.

export function prefersDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches
}

// Storage may be forbidden, as in a page from a file.
export function rememberedTheme(): boolean {
  try {
    const theme = localStorage.getItem('wallfly-theme')
    if (theme === 'dark' || theme === 'light') return theme === 'dark'
  } catch {
    // the system's choice is used then
  }
  return prefersDark()
}

export function rememberTheme(dark: boolean): void {
  try {
    localStorage.setItem('wallfly-theme', dark ? 'dark' : 'light')
  } catch {
    // The choice lasts as long as the page.
  }
}
