import { Argument, type Command } from 'commander'
import { dashboardHosts } from '../../config/public-origins.ts'
import type { Context } from '../../context.ts'
import {
  PASSKEY_POLICIES,
  type PasskeyPolicy,
  readPasskeyOnly,
  readPasskeyPolicy,
} from '../../domain/staff/passkey-only.ts'
import { choosePasskeyOnly, choosePasskeyPolicy } from '../../domain/staff/require-passkeys.ts'
import { withContext } from '../context.ts'
import { type Output, print } from '../output.ts'
import { getMember } from './member.ts'

export interface RequirePasskeyOptions extends Output {
  off?: boolean
}

export async function requirePasskey(
  ctx: Context,
  address: string,
  { off = false, ...options }: RequirePasskeyOptions,
): Promise<void> {
  const { id, email } = await getMember(ctx, address)
  const hosts = dashboardHosts(ctx.config)
  await ctx.control.write((trx) => choosePasskeyOnly(trx, id, !off, { hosts }))
  const passkey_only = await readPasskeyOnly(ctx.control.read, id, hosts)
  print(options, { id, email, passkey_only }, () => EFFECTS[passkey_only](email))
}

const EFFECTS = {
  no: (email: string) => `${email} can sign in with the password alone.`,
  chosen: (email: string) => `${email} needs a passkey to sign in.`,
  required: (email: string) =>
    `${email} needs a passkey to sign in, as gatehouse staff passkey-policy says.`,
}

export function addPasskeyPolicyCommand(staff: Command): void {
  staff
    .command('passkey-policy')
    .addArgument(new Argument('[who]', 'show it if not given').choices([...PASSKEY_POLICIES]))
    .description('choose who needs a passkey to sign in, once they have one')
    .action((who: PasskeyPolicy | undefined, options: Output) =>
      withContext((ctx) => passkeyPolicy(ctx, who, options)),
    )
}

async function passkeyPolicy(
  ctx: Context,
  who: PasskeyPolicy | undefined,
  options: Output,
): Promise<void> {
  if (who !== undefined) {
    await ctx.control.write((trx) =>
      choosePasskeyPolicy(trx, who, { hosts: dashboardHosts(ctx.config) }),
    )
  }
  const policy = await readPasskeyPolicy(ctx.control.read)
  print(options, { policy }, () => POLICIES[policy])
}

const POLICIES: Record<PasskeyPolicy, string> = {
  owners: 'Owners who have a passkey need it to sign in.',
  everybody: 'Everybody who has a passkey needs it to sign in.',
  nobody: 'Nobody needs a passkey to sign in, except members who were chosen one by one.',
}
