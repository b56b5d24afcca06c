// Measures explained checks: what a check of 100 resources takes, beside a check of one.
import { encodeParameters } from '@gatehouse/sdk/signing'
import { drawnKeys, signer } from '../load/requests.mjs'
import { keyOf } from '../records/shape.mjs'
import { median, ratios, spread } from '../statistics.mjs'

const MANY = 100
const REQUESTS = 200

async function timeOf(port, { target, authorization }) {
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { authorization } })
  const { checks } = await response.json()
  const took = performance.now() - began
  if (response.status !== 200 || !checks[0].granted)
    throw new Error(`${target}: ${response.status}`)
  return took
}

/** The rids of a page with many teasers, of which the reader may see at least the first. */
function ridsOf(home, rid) {
  const rids = new Set([rid])
  for (let n = 0; rids.size < MANY && n < home.records; n++) rids.add(keyOf(n, home.records).rid)
  return [...rids]
}

/** One request at a time, of both kinds in turn, so that a slow moment of the machine affects both. */
export async function measureExplained({ home, gatehouse, rounds }) {
  const signed = signer(home)
  const request = (user_ref, rids) =>
    signed('GET', `/r2/access/check?${encodeParameters({ user_ref, rids: rids.join(' ') })}`)
  const [ones, many] = [[], []]
  for (const round of Array(rounds).keys()) {
    const [one, hundred] = [[], []]
    for (const { rid, ref } of drawnKeys(home, REQUESTS, round)) {
      one.push(await timeOf(gatehouse.port, request(ref, [rid])))
      hundred.push(await timeOf(gatehouse.port, request(ref, ridsOf(home, rid))))
    }
    ones.push(median(one))
    many.push(median(hundred))
  }
  return { one: spread(ones), hundred: spread(many), ratio: ratios(many, ones) }
}
