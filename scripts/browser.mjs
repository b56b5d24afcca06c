// A real browser, driven by playwright-core.
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

function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...NAMES.flatMap((name) => folders.map((at) => join(at, name))), ...PLACES]
  return candidates.find(isProgram)
}

/** Returns the path of this machine's browser; tries to install one if there is none. */
export function requireBrowser() {
  if (findBrowser() === undefined) requireTools({ chromium: 'chromium' })
  const found = findBrowser()
  if (found === undefined) throw new Error('Chromium could not be found.')
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
