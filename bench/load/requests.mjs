// Signed requests, created before the measurement: one line for each, all of one length, so that a run can begin
// anywhere in the file.
import { createHmac } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { encodeParameters, sign, signedString } from '@gatehouse/sdk/signing'
import { isLive, keyOf, openedBy } from '../records/shape.mjs'

/** Numbers from 0 to 1, the same in every run. */
function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws ranks from 0 on: the probability of the k-th is proportional to 1 / k. */
function zipf(count, random) {
  const sums = new Float64Array(count)
  for (let rank = 0, sum = 0; rank < count; rank++) {
    sum += 1 / (rank + 1)
    sums[rank] = sum
  }
  const whole = sums[count - 1]
  return () => {
    const wanted = random() * whole
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Scatters ranks over the records, so that frequently requested ones are not next to each other. */
const SPREAD = 611_953

const DRAWS = {
  uniform: (records, random) => () => Math.floor(random() * records),
  zipf: (records, random) => {
    const rank = zipf(records, random)
    return () => (rank() * SPREAD) % records
  },
}

/** Draws live records only. */
function drawLive(draw) {
  for (;;) {
    const record = draw()
    if (isLive(record)) return record
  }
}

const fast = (key, text) => createHmac('sha256', key).update(text, 'latin1').digest('base64url')

export function signer({ aid, privateKey }) {
  return (method, target, body = '') => ({
    method,
    target,
    body,
    authorization: `${aid}:${fast(privateKey, signedString(method, target, body))}`,
  })
}

/** Our own signatures are faster to compute than the SDK's, and must be the same. */
export async function requireSameSignature(home) {
  const { authorization } = signer(home)('GET', '/r2/access?rid=a')
  const text = signedString('GET', '/r2/access?rid=a')
  if (authorization !== `${home.aid}:${await sign(home.privateKey, text)}`) {
    throw new Error('requests are signed wrongly')
  }
}

const checkTarget = ({ rid, ref }) => `/r2/access?${encodeParameters({ rid, user_ref: ref })}`

/** Access checks of readers that are drawn by a distribution. */
export function* accessChecks(home, law, count) {
  const signed = signer(home)
  const random = seeded(law === 'zipf' ? 2 : 1)
  const draw = DRAWS[law](home.records, random)
  for (let n = 0; n < count; n++) {
    yield signed('GET', checkTarget(keyOf(drawLive(draw), home.records)))
  }
}

/** Checks of resources that readers may see through a pass only. */
export function* passChecks(home, count) {
  const signed = signer(home)
  const draw = DRAWS.uniform(home.records, seeded(3))
  for (let n = 0; n < count; n++) {
    const { rid, ref } = keyOf(drawLive(draw), home.records)
    yield signed('GET', checkTarget({ rid: openedBy(rid, n), ref }))
  }
}

/** The keys of live records, others in each round. */
export function drawnKeys(home, count, round) {
  const draw = DRAWS.uniform(home.records, seeded(100 + round))
  return Array.from({ length: count }, () => keyOf(drawLive(draw), home.records))
}

/** Grants to readers who don't exist yet. */
export function* grants(home, from, count) {
  const signed = signer(home)
  for (let n = from; n < from + count; n++) {
    const name = `new-${String(n).padStart(9, '0')}`
    const rid = keyOf(n % home.records, home.records).rid
    const grant = { rid, email: `${name}@example.com`, user_ref: name, expiration: 4_000_000_000 }
    yield signed('POST', '/r2/access/grant', encodeParameters(grant))
  }
}

/** Writes the file; returns the number of lines and their length. */
export function writeRequests(path, requests) {
  const file = openSync(path, 'w')
  let [lines, width, waiting] = [0, 0, '']
  for (const { target, authorization, body } of requests) {
    const line = `${target} ${authorization} ${body}\n`
    if (width !== 0 && line.length !== width) throw new Error('requests differ in length')
    width = line.length
    waiting += line
    if (++lines % 10_000 === 0) {
      writeSync(file, waiting)
      waiting = ''
    }
  }
  writeSync(file, waiting)
  closeSync(file)
  return { path, lines, width }
}
