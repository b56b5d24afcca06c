import { ReturnError } from '@gatehouse/sdk'
import { gatehouse, paywall, RID, SITE } from '../gatehouse.js'
import { findReader } from '../readers.js'
import { Teaser } from './teaser.jsx'

export default async function Page({ searchParams }) {
  const reader = await findReader()
  const query = new URLSearchParams(await searchParams)
  // A buyer who comes back from the checkout: what was known before no longer counts.
  const isFresh = query.has('gatehouse_signature')
  const decision = await paywall.decide({ userRef: reader, rid: RID, isFresh })
  if (!decision.granted) return <Teaser decision={decision} />
  return (
    <>
      {isFresh && (await hasJustPaid(query, reader)) && <p>Thank you for buying this article.</p>}
      <p>Twice a day the sea leaves the harbor.</p>
      <p>The moon takes it, and brings it back.</p>
    </>
  )
}

async function hasJustPaid(query, userRef) {
  try {
    await gatehouse.readReturn(`/?${query}`, { rid: RID, userRef, origin: SITE })
    return true
  } catch (error) {
    // Not a proof of payment, or an old one.
    if (error instanceof ReturnError) return false
    throw error
  }
}
