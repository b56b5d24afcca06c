import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [...NAMES.flatMap((name) => folders.map((at) => join(at, name))), ...PLACES]
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Where this machine may install programs, it gets the browser that the tests need. */
function installBrowser(): void {
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
  } catch (error) {
    throw new Error('These tests need Chromium or Chrome: install one of them.', { cause: error })
  }
}

/** A real browser that asks nobody but us. */
export async function launchBrowser(): Promise<Browser> {
  if (findBrowser() === undefined) installBrowser()
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('Chromium could not be found.')
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
