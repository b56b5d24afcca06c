import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGE_NAMES } from '../../packages/server/src/http/reference/samples.ts'
import { databases } from '../../packages/server/src/testing/databases.ts'
import { unescapeHtml } from '../../packages/server/src/testing/http/unescape.ts'
import { newProgram } from '../../packages/server/src/testing/management.ts'
import { startTestService, type TestService } from '../../packages/server/src/testing/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The file of a sample, and the command that runs it. */
const RUNNERS: Record<string, [file: string, command: string, ...args: string[]]> = {
  curl: ['sample.sh', 'bash', '-e'],
  node: ['sample.mjs', process.execPath],
  python: ['sample.py', 'python3'],
  php: ['sample.php', 'php'],
  ruby: ['sample.rb', 'ruby'],
  go: ['sample.go', 'go', 'run'],
}

/** Operations that read, write, and have a body: their samples differ by these alone. */
const CALLS = [
  ['/docs', 'grantAccess', '"rid":"demo-article"'],
  ['/docs', 'getAccess', '"rid":"demo-article"'],
  ['/docs/management', 'grantAccess', '"rid":"demo-article"'],
  ['/docs/management', 'listResources', '"rid":"demo-article"'],
  ['/docs/management', 'updateSettings', '"name"'],
] as const

describe('the samples of the reference, run', () => {
  let service: TestService
  let folder: string
  let variables: Record<string, string>
  const pages = new Map<string, string>()

  beforeAll(async () => {
    service = await startTestService(databases[0], { useRealTime: true })
    const app = await service.newApplication('sandbox')
    await app.addResource('demo-article')
    // Inside the clone, so that the SDK is found.
    mkdirSync(join(ROOT, 'data'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'data', 'samples-'))
    await app.client.grantAccess({
      ...{ rid: 'demo-article', email: 'reader@example.com', user_ref: 'demo-reader' },
    })
    variables = { AID: app.aid, PRIVATE_KEY: app.privateKey }
    for (const page of ['/docs', '/docs/management']) {
      const shown = await (await fetch(`${service.url}${page}`)).text()
      pages.set(page, shown.replaceAll('ExampleAID', app.aid))
    }
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  function sampleOn(page: string, operation: string, language: string): string {
    const [, section = ''] = (pages.get(page) ?? '').split(`<section id="${operation}"`)
    const sample = new RegExp(`<div class="sample in-${language}">.*?<code>([\\s\\S]*?)</code>`)
    return unescapeHtml(sample.exec(section)?.[1] ?? '')
  }

  async function run(language: string, code: string, env: Record<string, string>): Promise<string> {
    const [file, command, ...args] = RUNNERS[language] ?? ['', '']
    writeFileSync(join(folder, file), code)
    const child = spawn(command, [...args, join(folder, file)], { env: { ...process.env, ...env } })
    const [output, problems, [status]] = await Promise.all([
      ...[text(child.stdout), text(child.stderr), once(child, 'close')],
    ] as const)
    expect(status, `${code}\n${problems}`).toBe(0)
    return output
  }

  it.each(
    CALLS.flatMap(([page, operation, expected]) =>
      LANGUAGE_NAMES.map((language) => ({ page, operation, language, expected })),
    ),
  )('$operation of $page in $language', async ({ page, operation, language, expected }) => {
    const role = operation === 'updateSettings' ? 'developer' : 'support'
    const { token: TOKEN } = await newProgram(service, role)
    const ADDRESS = page === '/docs' ? `${service.url}/sandbox` : service.url
    const code = sampleOn(page, operation, language)
    expect(code).not.toBe('')
    const output = await run(language, code, { ...variables, ADDRESS, TOKEN })
    // The SDK returns objects, which Node.js prints in its own way.
    const compact = output.replaceAll(/\s*(rid|name): '/g, '"$1":"').replaceAll("'", '"')
    expect(compact.replaceAll(/": "/g, '":"')).toContain(expected)
  })
})
