import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '../testing/config/refusals.ts'
import { environmentVariables, findOpenEnvFile, readConfig } from './config.ts'
import type { Env } from './reader.ts'
import { SECRET_SETTINGS } from './secret-files.ts'

describe('secrets in files', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'))
    mkdirSync(join(folder, 'credentials'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const read = (own: Env) => readConfig(environmentVariables(folder, own))
  const refused = (own: Env) => refusalOf(() => read(own))
  function file(name: string, text: string): string {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const TOKEN = 'metrics-token-of-the-test'

  it('are read without the line break at the end, also if .env names the file', () => {
    const path = file('token', `${TOKEN}\n`)
    expect(read({ GATEHOUSE_METRICS_TOKEN_FILE: path }).metricsToken).toBe(TOKEN)
    const env = file('.env', `GATEHOUSE_METRICS_TOKEN_FILE=${path}\n`)
    expect(read({}).metricsToken).toBe(TOKEN)
    rmSync(env)
  })

  it('are all settings that have a secret, and no other', () => {
    for (const name of SECRET_SETTINGS) {
      const variables = environmentVariables(folder, { [`${name}_FILE`]: file('any', 'value') })
      expect(variables).toEqual({ [name]: 'value' })
    }
    expect(refused({ GATEHOUSE_PORT_FILE: file('port', '80') })).toContain(
      'GATEHOUSE_PORT… is not a Gatehouse setting',
    )
  })

  it('may be credentials of systemd, by the name of the setting', () => {
    file('credentials/GATEHOUSE_METRICS_TOKEN', TOKEN)
    file('credentials/other', 'of another program')
    const own = { CREDENTIALS_DIRECTORY: join(folder, 'credentials') }
    expect(read(own).metricsToken).toBe(TOKEN)
    expect(refused({ ...own, GATEHOUSE_METRICS_TOKEN: TOKEN })).toContain(
      'both GATEHOUSE_METRICS_TOKEN and the credential GATEHOUSE_METRICS_TOKEN are set',
    )
    const wrong = file('credentials/GATEHOUSE_PORT', '80')
    expect(refused(own)).toContain('the credential GATEHOUSE_PORT is not a secret setting')
    rmSync(wrong)
    expect(refused({ CREDENTIALS_DIRECTORY: join(folder, 'none') })).toContain(
      "CREDENTIALS_DIRECTORY can't be read",
    )
  })

  it('are refused if there is no way to read them, with the name of the variable and nothing of the content', () => {
    const message = (path: string) => refused({ GATEHOUSE_SMTP_URL_FILE: path })
    expect(message(join(folder, 'none'))).toMatch(/GATEHOUSE_SMTP_URL_FILE: .*none can't be read/)
    expect(message(folder)).toContain('is not a regular file')
    expect(message(file('empty', ' \n'))).toContain('is empty')
    expect(message(file('large', 'x'.repeat(70_000)))).toContain('is too large')
    const wrong = message(file('wrong', 'hunter22'))
    expect(wrong).toContain('GATEHOUSE_SMTP_URL must be a URL')
    expect(wrong).not.toContain('hunter22')
  })

  it('are refused beside the variable itself, but not beside an empty one', () => {
    const both = { GATEHOUSE_METRICS_TOKEN_FILE: file('token', TOKEN) }
    expect(refused({ ...both, GATEHOUSE_METRICS_TOKEN: TOKEN })).toContain(
      'both GATEHOUSE_METRICS_TOKEN and GATEHOUSE_METRICS_TOKEN_FILE are set: remove one of them',
    )
    expect(read({ ...both, GATEHOUSE_METRICS_TOKEN: '' }).metricsToken).toBe(TOKEN)
    expect(read({ GATEHOUSE_METRICS_TOKEN_FILE: '' }).metricsToken).toBeUndefined()
  })

  it('in .env are reported if every user can read it, and not if a group can', () => {
    expect(findOpenEnvFile(folder, {})).toBeUndefined()
    const path = file('.env', 'GATEHOUSE_PORT=0\n')
    chmodSync(path, 0o644)
    expect(findOpenEnvFile(folder, {})).toBe(
      `${path} can be read by every user of this machine; fix it with: chmod o-rwx ${path}`,
    )
    chmodSync(path, 0o640)
    expect(findOpenEnvFile(folder, {})).toBeUndefined()
    const named = file('named.env', '')
    chmodSync(named, 0o604)
    expect(findOpenEnvFile('/', { GATEHOUSE_ENV_FILE: named })).toContain(named)
  })
})
