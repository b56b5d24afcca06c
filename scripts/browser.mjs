// Real browsers: Chromium is driven by playwright-core, Firefox by puppeteer-core.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { requireTools } from './tools.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function findProgram(names, places) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...names.flatMap((name) => folders.map((at) => join(at, name))), ...places]
  return candidates.find(isProgram)
}

const findBrowser = () => findProgram(NAMES, PLACES)
const findFirefox = () =>
  findProgram(['firefox-esr', 'firefox'], ['/Applications/Firefox.app/Contents/MacOS/firefox'])

/** Returns the path of this machine's browser; tries to install one if there is none. */
export function requireBrowser() {
  if (findBrowser() === undefined) requireTools({ chromium: 'chromium' })
  const found = findBrowser()
  if (found === undefined) throw new Error('Chromium could not be found.')
  return found
}

/** The same for Firefox. */
export function requireFirefox() {
  if (findFirefox() === undefined) requireTools({ 'firefox-esr': 'firefox-esr' })
  const found = findFirefox()
  if (found === undefined) throw new Error('Firefox could not be found.')
  return found
}

/** Keeps the browser from sending requests of its own. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
