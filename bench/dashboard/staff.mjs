// A staff member who uses the dashboard of an installation.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../packages/server/bin/gatehouse.mjs', import.meta.url))

/** Accepts an invitation as an owner, like a person would, and returns the session cookie. */
export async function arrive({ folder, env }, url) {
  const args = ['staff', 'invite', 'owner@example.com', '--role', 'owner', '--json']
  const options = { cwd: folder, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' }
  const { link } = JSON.parse(execFileSync(process.execPath, [COMMAND, ...args], options))
  const answer = await fetch(`${url}/dashboard/api/link/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      token: link.slice(link.indexOf('#') + 1),
      name: 'Olivia Owner',
      password: randomBytes(12).toString('base64url'),
    }),
  })
  if (!answer.ok) throw new Error(`the link was refused: ${await answer.text()}`)
  const [pair] = answer.headers.get('set-cookie').split(';')
  const [name, value] = pair.split('=')
  return { name, value, httpOnly: true, sameSite: 'Strict' }
}
