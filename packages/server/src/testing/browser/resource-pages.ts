import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { useFixture } from '../fixtures.ts'
import { useDashboard } from './dashboard-browser.ts'
import { partsOf } from './dashboard-parts.ts'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))

/** A file to upload. */
export const file = (name: string, bytes: string) => ({
  ...{ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) },
})

/** Languages of the examples, with the program that runs them. */
export const runners: Record<string, [string, string[]]> = {
  curl: ['sh', []],
  Node: [process.execPath, ['--input-type=module']],
  PHP: ['php', []],
  Python: ['python3', []],
  Ruby: ['ruby', []],
}

/** Runs a dashboard, and opens the resource pages of an application in the browser of a staff member. */
export function useResourcePages(page: () => Page) {
  const server = useDashboard()
  const app = useFixture(() => server.service.newApplication('sandbox'))
  const editor = useFixture(() => server.staffBrowser('support'))
  const input = () => page().locator('input[type=file][multiple]')

  /** Runs an example, and returns what it prints. */
  async function run(language: string, code: string): Promise<string> {
    const [program, options] = runners[language] as [string, string[]]
    const env = { ...process.env, PRIVATE_KEY: app.privateKey }
    const child = spawn(program, options, { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'ignore'] })
    const failed = new Promise<string>((resolve) =>
      child.on('error', () => resolve('not installed')),
    )
    child.stdin.on('error', () => {}).end(code)
    return await Promise.race([failed, text(child.stdout)])
  }
  return { server, app, editor, input, run, ...partsOf(page) }
}
