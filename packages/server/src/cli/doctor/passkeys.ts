import { dashboardHosts } from '../../config/public-origins.ts'
import type { Context } from '../../context.ts'
import { listStaff } from '../../domain/staff/team.ts'
import { type Finding, warning } from './checks.ts'

/** Owners all of whose passkeys were made under another host name, such as localhost or a former one: their password alone
 * signs them in. */
export async function checkPasskeys({ config, control }: Context): Promise<Finding[]> {
  const hosts = dashboardHosts(config)
  const useless = (await listStaff(control.read, hosts)).filter(
    ({ role, disabled_at, passkeys, usable_passkeys }) =>
      role === 'owner' && disabled_at === null && passkeys > 0 && usable_passkeys === 0,
  )
  return useless.map(({ email, passkeys }) =>
    warning(
      'passkeys',
      `${passkeys === 1 ? 'the passkey' : 'all passkeys'} of the owner ${email} can't be used at ${hosts?.[0]}: the password alone signs in there`,
      `let ${email} sign in at https://${hosts?.[0]}/dashboard/ and add a passkey there`,
    ),
  )
}
