import type { Invitation, LinkMail, NewLink, TeamMember } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { keys, send } from '../api.ts'
import { cx } from '../components/cx.ts'
import { StateBadge } from '../components/display/state-badge.tsx'
import { Time } from '../components/display/time.tsx'
import { ConfirmDialog } from '../components/overlays/confirm-dialog.tsx'
import { type MenuItem, MoreMenu } from '../components/overlays/menu.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { toastOnError } from '../components/overlays/toast-on-error.ts'
import { useMe } from '../frame/me.ts'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'
import { RoleDialog } from './role-dialog.tsx'
import { StaffLinkDialog } from './staff-link-dialog.tsx'

const cellClass = 'px-3 py-2.5 align-middle'
export const refreshTeam = () => queryClient.invalidateQueries({ queryKey: keys.staff('team') })

/** Sends the request, refetches the list and confirms with a toast. */
async function act(path: string, said: string, body?: object): Promise<void> {
  await send('POST', path, body)
  await refreshTeam()
  toast(said)
}

type Asked = 'role' | 'reset' | 'disable' | 'passkey'

export function MemberRow({ member }: { member: TeamMember }): ReactNode {
  const me = useMe().staff
  const [asked, setAsked] = useState<Asked>()
  const [link, setLink] = useState<NewLink>()
  const { id, name, email, role, seen_at, disabled_at, passkey_only } = member
  const close = () => setAsked(undefined)
  const isMe = id === me.id

  return (
    <tr>
      <td className={cellClass}>
        <span className="font-medium">{name}</span>
        {isMe && <span className="text-soft"> ({texts.team.you})</span>}
        <span className="block text-soft">{email}</span>
        {passkey_only !== 'no' && <span className="block text-soft">{texts.team.passkeyOnly}</span>}
        {disabled_at !== null && (
          <span className="sm:hidden">
            <StateBadge state="ended">{texts.team.disabled}</StateBadge>
          </span>
        )}
      </td>
      <td className={`${cellClass} whitespace-nowrap`}>{texts.roles[role]}</td>
      <td className={`${cellClass} whitespace-nowrap max-md:hidden`}>
        {seen_at === null ? texts.common.never : <Time at={seen_at} />}
      </td>
      <td className={`${cellClass} max-sm:hidden`}>
        {disabled_at === null ? (
          <StateBadge state="live">{texts.team.active}</StateBadge>
        ) : (
          <StateBadge state="ended">{texts.team.disabled}</StateBadge>
        )}
      </td>
      <td className="w-12 pr-2 text-right">
        <MoreMenu label={texts.team.actions(name)} items={itemsFor(member, isMe, setAsked)} />
        <RoleDialog open={asked === 'role'} onClose={close} member={member} />
        <ConfirmDialog
          open={asked === 'reset'}
          onClose={close}
          variant="primary"
          title={texts.team.resetTitle(name)}
          effect={resetEffect(member)}
          action={texts.team.makeLink}
          onConfirm={async () => setLink(await send<NewLink>('POST', `/team/${id}/reset`))}
        />
        <ConfirmDialog
          open={asked === 'disable'}
          onClose={close}
          title={texts.team.disableTitle(name)}
          effect={texts.team.disableEffect(name)}
          action={texts.team.disable}
          onConfirm={() => act(`/team/${id}/disable`, texts.team.disabledNow(name))}
        />
        <ConfirmDialog
          open={asked === 'passkey'}
          onClose={close}
          variant="primary"
          title={texts.team.requireTitle(name)}
          effect={texts.team.requireEffect(name)}
          action={texts.team.requirePasskey}
          onConfirm={() => setPasskeyOnly(member, true)}
        />
        <StaffLinkDialog link={link} email={email} onClose={() => setLink(undefined)} />
      </td>
    </tr>
  )
}

function resetEffect({ name, passkeys }: TeamMember): string[] {
  if (passkeys === 0) return [texts.team.resetEffect]
  return [texts.team.resetEffect, texts.team.resetRemovesPasskeys(name)]
}

async function setPasskeyOnly({ id, name }: TeamMember, on: boolean): Promise<void> {
  await send('PUT', `/team/${id}/passkey-only`, { on })
  await refreshTeam()
  await queryClient.invalidateQueries({ queryKey: keys.me })
  toast(on ? texts.team.required(name) : texts.team.passwordAllowed(name))
}

/** What an owner can choose for one member, where the installation requires nothing. */
function passkeyItems(member: TeamMember, ask: (what: Asked) => void): MenuItem[] {
  const { usable_passkeys, passkey_only } = member
  if (usable_passkeys === 0 || passkey_only === 'required') return []
  const allow = () => toastOnError(setPasskeyOnly(member, false))
  return passkey_only === 'chosen'
    ? [{ label: texts.team.allowPassword, onSelect: allow }]
    : [{ label: texts.team.requirePasskey, onSelect: () => ask('passkey') }]
}

function itemsFor(member: TeamMember, isMe: boolean, ask: (what: Asked) => void): MenuItem[] {
  const { id, name } = member
  if (member.disabled_at !== null) {
    const enable = () => toastOnError(act(`/team/${id}/enable`, texts.team.enabledNow(name)))
    return [{ label: texts.team.enable, onSelect: enable }]
  }
  const signOut = () => toastOnError(act(`/team/${id}/sign-out`, texts.team.signedOut(name)))
  return [
    { label: texts.team.changeRole, onSelect: () => ask('role') },
    { label: texts.team.reset, onSelect: () => ask('reset') },
    ...passkeyItems(member, ask),
    ...(isMe
      ? []
      : [
          { label: texts.team.signOut, onSelect: signOut },
          { label: texts.team.disable, danger: true, apart: true, onSelect: () => ask('disable') },
        ]),
  ]
}

function MailState({ mail: { status, sent_at } }: { mail: LinkMail }): ReactNode {
  const text = texts.team.invitationMail[status]
  return (
    <span className={cx('block', status === 'failed' ? 'text-failed' : 'text-soft')}>
      {text} {sent_at !== null && <Time at={sent_at} now={null} />}
    </span>
  )
}

export function InvitationRow({ invitation }: { invitation: Invitation }): ReactNode {
  const { email, role, ends_at, mail } = invitation
  return (
    <tr>
      <td className={cellClass}>
        {email}
        <span className="block text-soft sm:hidden">{texts.team.invited}</span>
        {mail && <MailState mail={mail} />}
      </td>
      <td className={`${cellClass} whitespace-nowrap`}>{texts.roles[role]}</td>
      <td className={`${cellClass} text-soft max-md:hidden`}>
        {texts.team.linkEnds} <Time at={ends_at} now={null} />
      </td>
      <td className={`${cellClass} max-sm:hidden`}>
        <StateBadge state="ending">{texts.team.invited}</StateBadge>
      </td>
      <td className="w-12 pr-2 text-right">
        <MoreMenu
          label={texts.team.actions(email)}
          items={[
            {
              label: texts.team.withdraw,
              danger: true,
              onSelect: () =>
                toastOnError(act('/team/withdraw', texts.team.withdrawn(email), { email })),
            },
          ]}
        />
      </td>
    </tr>
  )
}
