import { SITE } from '../../gatehouse.js'
import { signIn } from '../../readers.js'

export async function POST(request) {
  const form = await request.formData()
  await signIn(form.get('email'))
  return Response.redirect(`${SITE}/`, 303)
}
