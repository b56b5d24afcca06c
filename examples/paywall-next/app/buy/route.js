import { gatehouse, RID, SITE } from '../../gatehouse.js'
import { findReader } from '../../readers.js'

export async function POST() {
  const reader = await findReader()
  if (!reader) return Response.redirect(`${SITE}/`, 303)
  const buyer = { user_ref: reader, email: reader }
  const link = await gatehouse.purchaseLink({ rid: RID, ...buyer, return_url: `${SITE}/` })
  return Response.redirect(link, 303)
}
