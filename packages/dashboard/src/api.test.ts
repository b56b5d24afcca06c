import { afterEach, describe, expect, it, vi } from 'vitest'
import { get, onSignedOut } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

/** Answers requests in turn, and returns how often it was asked. */
function answerWith(...answers: readonly [status: number, body: object][]) {
  const asked = vi.fn(async () => {
    const [status, body] = answers[asked.mock.calls.length - 1] ?? [500, {}]
    return Response.json(body, { status })
  })
  vi.stubGlobal('fetch', asked)
  return asked
}

const UNKNOWN = { error: { code: 'not_signed_in', message: 'Sign in first.' } }
const WRONG = { error: { code: 'sign_in_failed', message: 'The password is wrong.' } }

describe('a request of the dashboard', () => {
  it('is sent again if its session is unknown: the cookie may have been replaced meanwhile', async () => {
    const signedOut = vi.fn()
    onSignedOut(signedOut)
    const asked = answerWith([401, UNKNOWN], [200, { name: 'Ann' }])
    expect(await get('/me')).toEqual({ name: 'Ann' })
    expect(asked).toHaveBeenCalledTimes(2)
    expect(signedOut).not.toHaveBeenCalled()
  })

  it('says that nobody is signed in if the session is unknown twice', async () => {
    const signedOut = vi.fn()
    onSignedOut(signedOut)
    const asked = answerWith([401, UNKNOWN], [401, UNKNOWN])
    await expect(get('/me')).rejects.toMatchObject({ status: 401, code: 'not_signed_in' })
    expect(asked).toHaveBeenCalledTimes(2)
    expect(signedOut).toHaveBeenCalledTimes(1)
  })

  it('is not sent again after a wrong password', async () => {
    const asked = answerWith([401, WRONG])
    await expect(get('/sign-in')).rejects.toMatchObject({ code: 'sign_in_failed' })
    expect(asked).toHaveBeenCalledTimes(1)
  })
})
