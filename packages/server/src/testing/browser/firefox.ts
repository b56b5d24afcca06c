import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'

const SCRIPT = new URL('../../../../../scripts/browser.mjs', import.meta.url).href

/** Settings of a browser that sends no requests of its own, and saves every file without asking. */
const preferences = (downloads: string) => ({
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.download.alwaysOpenPanel': false,
  'browser.download.dir': downloads,
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
  'browser.safebrowsing.downloads.enabled': false,
  'datareporting.healthreport.uploadEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'pdfjs.disabled': true,
})

/** A running Firefox with its own profile and an empty folder for downloads. */
export interface Firefox {
  browser: Browser
  downloads: string
  stop(): Promise<void>
}

/** Starts Firefox, which Playwright can't drive unless it is Playwright's own build. */
export async function launchFirefox(): Promise<Firefox> {
  const { requireFirefox } = (await import(SCRIPT)) as { requireFirefox(): string }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-firefox-'))
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: requireFirefox(),
    extraPrefsFirefox: preferences(folder),
    // Firefox refuses to run as root in the home directory of somebody else.
    env: { ...process.env, HOME: folder },
  })
  return {
    browser,
    downloads: folder,
    async stop() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
