import { Type } from 'typebox'
import { addingTool, changingTool, creatingTool, optionalText, type Tool, text } from './tool.ts'

const end = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
  description: 'When it ends, in seconds since 1970; null for no end.',
})
const notify = Type.Optional(Type.Boolean({ description: 'Whether the reader gets an email.' }))

/** Defines a tool that acts on one record and needs to know nothing but its id. */
const actionTool = (
  define: typeof addingTool,
  name: string,
  operation: 'cancelSubscription' | 'resumeSubscription' | 'resendEmail',
  description: string,
  id: string,
): Tool =>
  define(name, operation, description, Type.Object({ id: text(id) }), (client, path) =>
    client.call(operation, { path }),
  )

/** No refund, no erasure and no key is here, and none may be added: an assistant can be talked into things, and these
 * can't be undone. */
export const WRITE_TOOLS: readonly Tool[] = [
  changingTool(
    'grant_access',
    'grantAccess',
    'Grants a reader access to a resource.',
    Type.Object({
      ...{ rid: text('The id of the resource.'), email: text('The email address of the reader.') },
      expires: Type.Optional(end),
      notify,
    }),
    // Without a word about it, a tool should send no email.
    (client, body) => client.call('grantAccess', { body: { notify: false, ...body } }),
  ),
  changingTool(
    'extend_access',
    'extendAccess',
    'Changes when an access record ends.',
    Type.Object({ id: text('The id of the access record.'), expires: end, notify }),
    (client, { id, ...body }) => client.call('extendAccess', { path: { id }, body }),
  ),
  changingTool(
    'revoke_access',
    'revokeAccess',
    'Revokes an access record immediately. Nothing is refunded.',
    Type.Object({ id: text('The id of the access record.') }),
    (client, path) => client.call('revokeAccess', { path, body: { refund: false } }),
  ),
  actionTool(
    changingTool,
    'cancel_subscription',
    'cancelSubscription',
    'Cancels a subscription. Access continues until the end of what was paid for.',
    'The id of the subscription.',
  ),
  actionTool(
    changingTool,
    'resume_subscription',
    'resumeSubscription',
    'Undoes the cancellation of a subscription that has not ended yet.',
    'The id of the subscription.',
  ),
  creatingTool(
    'create_resource',
    'createResource',
    'Registers something to sell access to, such as an article.',
    Type.Object({
      ...{ rid: text('Its id at the site.'), name: text('Its name.') },
      ...{ url: optionalText('Its address.'), description: optionalText('A short description.') },
    }),
    (client, body) => client.call('createResource', { body }),
  ),
  changingTool(
    'update_resource',
    'updateResource',
    'Changes the name, the address or the description of a resource; what is not given stays.',
    Type.Object({
      ...{ rid: text('The id of the resource.'), name: optionalText('Its name.') },
      ...{ url: optionalText('Its address.'), description: optionalText('A short description.') },
    }),
    (client, { rid, ...body }) => client.call('updateResource', { path: { rid }, body }),
  ),
  addingTool(
    'add_note',
    'addNote',
    'Adds a note about a reader, which only staff see.',
    Type.Object({ uid: text('The uid of the reader.'), text: text('The note.') }),
    (client, { uid, ...body }) => client.call('addNote', { path: { uid }, body }),
  ),
  actionTool(
    addingTool,
    'resend_email',
    'resendEmail',
    'Sends an email once more.',
    'The id of the email.',
  ),
]
