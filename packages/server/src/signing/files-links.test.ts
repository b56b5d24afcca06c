import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkFilesToken, createFilesToken } from './files-links.ts'
import { checkManageToken, createManageToken } from './links.ts'

const NOW = 1_700_000_000
const INVALID = { ok: false, reason: 'invalid' }
const key = randomBytes(32)
const access = { aid: 'AAAAAAAAAA', id: 'a1b2c3', linkNumber: 0 }
const token = createFilesToken(key, access, NOW + 60)

describe("the token of a reader's files", () => {
  it('names the access and its own end', () => {
    const { aid, id: accessId } = access
    expect(checkFilesToken(key, token, NOW + 59)).toEqual({
      ...{ ok: true, aid, accessId, linkNumber: 0, expires: NOW + 60 },
    })
    expect(checkFilesToken(key, token, NOW + 60)).toEqual({ ok: false, reason: 'expired', aid })
  })

  it('is worth nothing once a single character is another', () => {
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const forged = token.slice(0, at) + other + token.slice(at + 1)
      expect([forged, checkFilesToken(key, forged, NOW)]).toEqual([forged, INVALID])
    }
    for (const more of [`${token}A`, `A${token}`, '', '.', `${token}\n`]) {
      expect([more, checkFilesToken(key, more, NOW)]).toEqual([more, INVALID])
    }
    expect(checkFilesToken(randomBytes(32), token, NOW)).toEqual(INVALID)
  })

  it('carries the link number of its reader, which nobody can take away or change', () => {
    const numbered = createFilesToken(key, { ...access, linkNumber: NOW }, NOW + 60)
    expect(checkFilesToken(key, numbered, NOW)).toMatchObject({ ok: true, linkNumber: NOW })
    for (const other of ['', `.${NOW + 1}`, '.0', `.0${NOW}`]) {
      const forged = numbered.replace(`.${NOW}.`, `${other}.`)
      expect(checkFilesToken(key, forged, NOW)).toEqual(INVALID)
    }
    const added = token.replace(`.${NOW + 60}.`, `.${NOW + 60}.${NOW}.`)
    expect(checkFilesToken(key, added, NOW)).toEqual(INVALID)
  })

  it('and that of a subscription are not each other, although they look alike', () => {
    const manage = createManageToken(key, access, NOW + 60)
    expect(checkFilesToken(key, manage, NOW)).toEqual(INVALID)
    expect(checkManageToken(key, token, NOW)).toEqual(INVALID)
  })
})
