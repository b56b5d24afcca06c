import { gate } from '@gatehouse/sdk/next'
import { gatehouse, RID, SITE } from '../../gatehouse.js'
import { findReader } from '../../readers.js'

// The article as plain text. A handler has the gate around it; browsers without access are sent to the checkout.
export const GET = gate(
  {
    gatehouse,
    rid: RID,
    userRef: findReader,
    purchase: () => ({ return_url: `${SITE}/text` }),
    signInUrl: '/',
  },
  () =>
    new Response(
      'Twice a day the sea leaves the harbor.\nThe moon takes it, and brings it back.\n',
    ),
)
