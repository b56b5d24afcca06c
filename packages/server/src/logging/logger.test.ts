import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { encodeParameters } from '@gatehouse/sdk/signing'
import { expect, it, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createContext } from '../context.ts'
import { createApplication, reserveAid } from '../domain/apps/applications.ts'
import { createResource } from '../domain/resources/resources.ts'
import { databases } from '../testing/databases.ts'
import { authorization, send } from '../testing/http/requests.ts'
import { startProcess } from '../testing/processes/process.ts'
import { startSmtp } from '../testing/smtp/smtp.ts'

const MASTER_KEY = 'canaryMasterKeyAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const SECRETS = {
  'SMTP password': 'canarySmtpPassword',
  'master key': MASTER_KEY,
  'metrics token': 'canaryMetricsToken',
  'e-mail address': 'canary.reader',
  'erroneous address': 'canary.refused',
  'user reference': 'canaryReference',
  'text of a mail': 'canaryMessage',
  'first name': 'canaryFirstName',
  'forged line': 'canaryForgedLine',
}

async function raw(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  return await text(socket)
}

it('tells nothing that is secret or personal in log, failures or metrics, at any level', async () => {
  const smtp = await startSmtp()
  const installation = await databases[0].createEmpty()
  const env = {
    ...installation.env,
    GATEHOUSE_MASTER_KEY: MASTER_KEY,
    GATEHOUSE_LOG_LEVEL: 'trace',
    GATEHOUSE_METRICS_TOKEN: SECRETS['metrics token'],
    GATEHOUSE_SMTP_URL: smtp.url.replace('://', `://postman:${SECRETS['SMTP password']}@`),
  }
  const ctx = await createContext(readConfig(env))
  const { database, clock, realTime } = ctx.environments.production
  const aid = await reserveAid(ctx.control, 'production')
  const { privateKey } = await database.write(async (trx) => {
    const clocks = { now: clock(), realTime: realTime() }
    const made = await createApplication(trx, ctx.masterKey, { aid, name: 'News' }, clocks, 'test')
    await createResource(trx, { aid, rid: 'news', name: 'News' }, clocks.now, 'test')
    return made
  })

  const server = await startProcess({ env })
  const url = await server.url
  const answers: string[] = []
  const signatures: string[] = []
  const call = async (method: string, path: string, parameters: Record<string, string>) => {
    const target = `${path}?${encodeParameters(parameters)}`
    const header = authorization({ aid, privateKey }, method, target)
    signatures.push(header.split(':')[1] as string)
    return await send(url, target, { method, headers: { authorization: header } })
  }
  const email = `${SECRETS['e-mail address']}@example.com`
  const user_ref = SECRETS['user reference']
  const good = { rid: 'news', email, user_ref, message: SECRETS['text of a mail'] }
  const granted = await call('POST', '/r2/access/grant', {
    ...good,
    first_name: SECRETS['first name'],
  })
  expect(granted.status).toBe(200)

  // The mail server refuses this recipient, with a message that contains the address.
  const refused = `${SECRETS['erroneous address']}@example.com`
  smtp.fault = (step, whom) => (step === 'recipient' && whom === refused ? 550 : undefined)
  expect((await call('POST', '/r2/access/grant', { rid: 'news', email: refused })).status).toBe(200)
  await vi.waitFor(
    () => {
      expect(server.stdout).toContain('mail sent')
      expect(server.stdout).toContain('mail not taken')
    },
    { timeout: 60_000 },
  )
  expect(smtp.logins[0]).toMatchObject({ password: SECRETS['SMTP password'] })

  const bad = async (status: number, answer: Promise<{ status: number; text: string }>) => {
    const { status: got, text } = await answer
    expect(got).toBe(status)
    answers.push(text)
  }
  const forged = `x\r\n{"level":50,"msg":"${SECRETS['forged line']}"}`
  await bad(400, call('POST', '/r2/access/grant', { ...good, email: `${email}\n${forged}` }))
  await bad(400, call('POST', '/r2/access/grant', { ...good, expiration: forged }))
  await bad(404, call('GET', '/r2/access', { rid: forged.replace(/\s/g, ''), user_ref }))
  await bad(404, send(url, `/nowhere/${SECRETS['e-mail address']}?${user_ref}`))
  await bad(402, call('DELETE', '/r2/access', { rid: 'news', user_ref }))
  const header = authorization(
    { aid, privateKey },
    'GET',
    `/r2/access?rid=news&user_ref=${user_ref}`,
  )
  signatures.push(header.split(':')[1] as string)
  const target = `/r2/access?rid=other&user_ref=${user_ref}`
  await bad(401, send(url, target, { headers: { authorization: header } }))
  await bad(401, send(url, target, { headers: { authorization: `${aid}:${privateKey}` } }))
  answers.push(await raw(url, `GET /r2/access?user_ref=${user_ref}\r\n${forged}\r\n\r\n`))
  answers.push(await raw(url, `${privateKey} ${email}\r\n\r\n`))

  // An internal error: a row that can't be read.
  await database.write((trx) =>
    trx
      .updateTable('access')
      .set({ tags: `[${user_ref} ${email}` })
      .execute(),
  )
  await bad(500, call('GET', '/r2/access', { rid: 'news', user_ref }))
  answers.push((await send(url, '/metrics')).text)
  await ctx.close()
  const { code, stdout, stderr } = await server.stop()
  expect(code).toBe(0)
  expect(stdout).toContain('request failed')

  const everything = [stdout, stderr, ...answers].join('\n')
  for (const [what, secret] of Object.entries(SECRETS)) {
    expect(everything.includes(secret), `${what} in ${linesWith(everything, secret)}`).toBe(false)
  }
  expect(everything).not.toContain(privateKey)
  for (const signature of signatures) expect(everything).not.toContain(signature)
  const lines = stdout.split('\n').filter((line) => line.includes('"level"'))
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  await installation.remove()
  await smtp.stop()
})

it('shows what an error is, and leaves out whose row it was about', () => {
  const logger = new URL('../../dist/logger.js', import.meta.url).href
  const script = `
    const { createLogger } = await import('${logger}')
    const cause = Object.assign(new Error('no place for ann@example.com'), { code: '23505' })
    const error = new TypeError('duplicate <ann@example.com>', { cause })
    createLogger('info').error({ err: Object.assign(error, { detail: 'Key (ann)' }) }, 'failed')
    createLogger('info').error({ err: 'ann@example.com' }, 'failed')`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString()
  expect(output).not.toMatch(/ann/)
  const [first, second] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(first.err).toMatchObject({
    type: 'TypeError',
    message: 'duplicate <(address)>',
    stack: expect.stringMatching(/^TypeError: duplicate .*\n +at /),
    cause: { code: '23505' },
  })
  expect(second.err).toEqual({ message: '(address)' })
})

const linesWith = (all: string, secret: string) =>
  all
    .split('\n')
    .filter((line) => line.includes(secret))
    .join('\n')
