// A browser that is controlled directly, through a pipe. Playwright observes all network traffic, which makes V8 parse
// every script once more: that takes a slowed processor a third of a second.
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BROWSER_ARGS, requireBrowser } from '../../scripts/browser.mjs'
import { stop } from '../../scripts/loopback.mjs'

const END = '\0'

/** How long a new window loads pages of its own, such as that of its address bar. */
const SETTLED_AFTER_MS = 2_500

export async function launchPlainBrowser() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-browser-'))
  const args = ['--headless=new', '--remote-debugging-pipe', '--no-first-run', ...BROWSER_ARGS]
  const child = spawn(requireBrowser(), [...args, `--user-data-dir=${folder}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [, , , commands, answers] = child.stdio
  const waiting = new Map()
  let text = ''
  answers.setEncoding('utf8').on('data', (more) => {
    const messages = (text + more).split(END)
    text = messages.pop()
    for (const { id, error, result } of messages.map((one) => JSON.parse(one))) {
      const { resolve, reject } = waiting.get(id) ?? {}
      waiting.delete(id)
      if (error) reject?.(new Error(error.message))
      else resolve?.(result)
    }
  })
  let last = 0
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      commands.write(JSON.stringify({ id: last, method, params, sessionId }) + END)
    })

  return {
    /** Opens a page in a new browser profile, on a processor slowed by this factor. */
    async newPage({ cookie, url, slower }) {
      const { browserContextId } = await send('Target.createBrowserContext')
      await send('Storage.setCookies', { browserContextId, cookies: [{ ...cookie, url }] })
      const { targetId } = await send('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
      })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      await send('Emulation.setCPUThrottlingRate', { rate: slower }, sessionId)
      await sleep(SETTLED_AFTER_MS)
      return {
        goto: (address) => send('Page.navigate', { url: address }, sessionId),
        async evaluate(expression) {
          const parameters = { expression, awaitPromise: true, returnByValue: true }
          const { result, exceptionDetails } = await send('Runtime.evaluate', parameters, sessionId)
          if (exceptionDetails) throw new Error(exceptionDetails.text)
          return result.value
        },
        close: () => send('Target.disposeBrowserContext', { browserContextId }),
      }
    },
    async close() {
      await send('Browser.close')
      await stop(child)
      // The browser's child processes may write for a moment longer than it runs.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
