/** Returns undefined for a text that is no URL. `URL.canParse` is not used, because Node 20 gets it wrong: after some
 * thousand calls it says no to addresses with letters such as ä. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
