import { InvalidArgumentError, Option } from 'commander'
import type { Role } from '../../domain/staff/staff.ts'

/** People know the role `reader` as viewer: a reader is who buys and reads. */
export const roleName = (role: Role) => (role === 'reader' ? 'viewer' : role)

/** The mandatory option for a role; `text` says whose. */
export function roleOption(roles: readonly Role[], text: string): Option {
  const names = roles.map(roleName).join(', ')
  return new Option('--role <role>', `${text}: ${names}`)
    .argParser((given) => {
      const role = roles.find((one) => one === given || roleName(one) === given)
      if (role) return role
      throw new InvalidArgumentError(`Must be one of ${names}.`)
    })
    .makeOptionMandatory()
}
