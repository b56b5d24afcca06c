/** A language that readers' pages and emails are written in. To add one, add its code here: the compiler then names
 * every text file that lacks it. */
export type Language = 'en'

/** The language until an application or a reader can choose one. */
export const DEFAULT_LANGUAGE: Language = 'en'

type InEachLanguage<T> = Readonly<Record<Language, T>>

/** Returns a function that picks the texts of one area in a language. */
export const textsIn =
  <T>(texts: InEachLanguage<T>) =>
  (language: Language = DEFAULT_LANGUAGE): T =>
    texts[language]

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats the size of a file for readers, in powers of 1000 as their computers show it: 1.4 MB. */
export function formatSize(bytes: number, language: Language = DEFAULT_LANGUAGE): string {
  let [size, step] = [bytes, 0]
  for (; size >= 999.5 && step < UNITS.length - 1; step++) size /= 1000
  const format = { style: 'unit', unit: UNITS[step], unitDisplay: step === 0 ? 'long' : 'short' }
  const maximumFractionDigits = step === 0 || size >= 100 ? 0 : 1
  return new Intl.NumberFormat(language, { ...format, maximumFractionDigits } as object).format(
    size,
  )
}
