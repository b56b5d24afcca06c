import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkSignature } from '../packages/server/src/signing/check.ts'
import { databases } from '../packages/server/src/testing/databases.ts'
import { attack, fingerprint, prepareVictim } from '../packages/server/src/testing/http/attack.ts'
import { hmac } from '../packages/server/src/testing/http/raw-http.ts'
import { reencodings } from '../packages/server/src/testing/http/reencodings.ts'
import { startTestService } from '../packages/server/src/testing/service.ts'
import { setting } from './settings.ts'

const given = process.env.FUZZ_SEED
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
const count = setting('FUZZ_COUNT', 100_000)

describe.each(databases)('bad requests on $name', (database) => {
  it(`${count} of them are refused, and nothing changes`, async () => {
    console.log(`FUZZ_SEED=${seed}`)
    const service = await startTestService(database)
    const victims = [
      await prepareVictim(await service.newApplication()),
      await prepareVictim(await service.newApplication('sandbox')),
    ]
    const before = await fingerprint(service.ctx)
    console.log(await attack(service, victims, { count, seed }))
    expect(await fingerprint(service.ctx)).toBe(before)
    await service.requireInvariants()
    await service.stop()
  })
})

it(`${count} other spellings of what was signed are refused`, () => {
  const aid = 'Fuzzing001'
  const key = 'k'.repeat(40)
  const keysOf = (who: string) => (who === aid ? [key] : [])
  fc.assert(
    fc.property(reencodings, ({ signed, sent }) => {
      const authorization = [`${aid}:${hmac(key, `GET ${signed}`)}`]
      const check = (target: string) =>
        checkSignature(keysOf, { method: 'GET', target, authorization, body: '' }).ok
      return check(signed) && !check(sent)
    }),
    { numRuns: count, seed },
  )
})
