/**
 * Under LANG=C.UTF-8 the language of Chromium is `en-US@posix`, which is no language tag, and uPlot makes number formats in
 * the browser's language while it loads. Such a language becomes English.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' })
}
