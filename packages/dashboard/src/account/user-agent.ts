import { texts } from '../texts.ts'

/** The first match wins: browsers earlier in the list also claim the names of later ones. */
const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['macOS', /\bMac OS X\b/],
  ['Windows', /\bWindows\b/],
  ['Linux', /\bLinux\b/],
] as const

const firstIn = (list: readonly (readonly [string, RegExp])[], text: string) =>
  list.find(([, pattern]) => pattern.test(text))?.[0]

/** `Firefox on Linux`, as far as the user agent says. */
export function describeUserAgent(agent: string): string {
  const browser = firstIn(BROWSERS, agent)
  const system = firstIn(SYSTEMS, agent)
  if (browser === undefined) return texts.account.unknownAgent
  return system === undefined ? browser : texts.account.agentOn(browser, system)
}
