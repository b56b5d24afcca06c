import type { Passkey } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/display/card.tsx'
import { Skeleton } from '../components/display/skeleton.tsx'
import { Time } from '../components/display/time.tsx'
import { Checkbox } from '../components/forms/checkbox.tsx'
import { ConfirmDialog } from '../components/overlays/confirm-dialog.tsx'
import { MoreMenu } from '../components/overlays/menu.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { toastOnError } from '../components/overlays/toast-on-error.ts'
import { useMe } from '../frame/me.ts'
import { queryClient } from '../query-client.ts'
import { hasPasskeys } from '../sign-in/passkey.ts'
import { texts } from '../texts.ts'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

const KEY = keys.staff('passkeys')

/** A first passkey, or the last one, changes how the member signs in, and may end other sessions. */
async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: KEY })
  await queryClient.invalidateQueries({ queryKey: keys.staff('sessions') })
  await queryClient.invalidateQueries({ queryKey: keys.me })
}

export function PasskeysCard(): ReactNode {
  const [adding, setAdding] = useState(false)
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<{ data: Passkey[] }>('/passkeys', {}, signal),
  })
  const supported = hasPasskeys()
  return (
    <Card
      title={texts.account.passkeysTitle}
      lead={texts.account.passkeysLead}
      action={
        supported && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {texts.account.addPasskey}
          </Button>
        )
      }
    >
      {data === undefined ? (
        <Skeleton lines={2} />
      ) : data.data.length === 0 ? (
        <p className="text-soft">
          {supported ? texts.account.noPasskeys : texts.account.noSupport}
        </p>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {data.data.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} isLast={data.data.length === 1} />
            ))}
          </ul>
          <PasskeyOnlyChoice />
        </>
      )}
      <AddPasskeyDialog open={adding} onClose={() => setAdding(false)} onDone={refresh} />
    </Card>
  )
}

function PasskeyOnlyChoice(): ReactNode {
  const { passkey_only } = useMe()
  const isRequired = passkey_only === 'required'
  async function choose(on: boolean): Promise<void> {
    await send('PUT', '/passkeys/only', { on })
    await refresh()
    toast(texts.account.passkeyOnlySet(on))
  }
  return (
    <Checkbox
      label={texts.account.passkeyOnly}
      hint={isRequired ? texts.account.passkeyOnlyRequired : texts.account.passkeyOnlyHint}
      checked={passkey_only !== 'no'}
      disabled={isRequired}
      onCheckedChange={(on) => toastOnError(choose(on))}
    />
  )
}

function PasskeyRow({ passkey, isLast }: { passkey: Passkey; isLast: boolean }): ReactNode {
  const { id, name, created_at, used_at } = passkey
  const [asking, setAsking] = useState<'rename' | 'remove'>()
  const close = () => setAsking(undefined)
  return (
    <li className="flex items-center gap-3 py-2">
      <KeyRound size={16} className="shrink-0 text-soft" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-soft">
          {used_at === null ? texts.account.added : texts.account.lastUsed}{' '}
          <Time at={used_at ?? created_at} />
        </p>
      </div>
      <MoreMenu
        label={texts.common.actionsFor(name)}
        items={[
          { label: texts.common.rename, onSelect: () => setAsking('rename') },
          { label: texts.common.remove, danger: true, onSelect: () => setAsking('remove') },
        ]}
      />
      <RenamePasskeyDialog
        open={asking === 'rename'}
        onClose={close}
        onDone={refresh}
        passkey={passkey}
      />
      <ConfirmDialog
        open={asking === 'remove'}
        onClose={close}
        title={texts.account.removeTitle(name)}
        effect={isLast ? texts.account.removeLastEffect : texts.account.removeEffect}
        action={texts.common.remove}
        onConfirm={async () => {
          await send('DELETE', `/passkeys/${id}`)
          await refresh()
          toast(texts.account.removed(name))
        }}
      />
    </li>
  )
}
