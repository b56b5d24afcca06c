import { DEVELOPERS, type SettingsView } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { get, keys, send } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { errorMessage, type Form, useForm } from '../../components/forms/use-form.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { useHasRole } from '../../frame/me.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'

const keyOf = ({ environment, aid }: AppScope) => keys.of(environment, aid, 'settings')

export function useSettings() {
  const scope = useAppScope()
  return useQuery({
    queryKey: keyOf(scope),
    queryFn: ({ signal }) => get<SettingsView>(scope.path('settings'), {}, signal),
  })
}

export function useCanChangeSettings({ archived }: SettingsView): boolean {
  return useHasRole(DEVELOPERS) && archived === null
}

/** Changed settings, as the API expects them. */
type Change = Partial<Omit<SettingsView, 'aid' | 'created' | 'archived' | 'defaults' | 'address'>>

async function store(scope: AppScope, change: Change): Promise<void> {
  const next = await send<SettingsView>('PATCH', scope.path('settings'), change)
  queryClient.setQueryData(keyOf(scope), next)
  // `me` contains the name and the currency.
  await queryClient.invalidateQueries({ queryKey: keys.me })
}

interface Options<V extends Record<string, string>> {
  settings: SettingsView
  /** Converts settings to field values. */
  show: (settings: SettingsView) => V
  check?: (values: V) => { readonly [K in keyof V]?: string | undefined }
  /** Converts field values to settings. */
  read: (values: V) => Change
}

export interface SettingsForm<V extends Record<string, string>> extends Form<V> {
  changed: boolean
  canChange: boolean
}

/** A form for some of the settings. Saving can be undone. */
export function useSettingsForm<V extends Record<string, string>>({
  settings,
  show,
  check,
  read,
}: Options<V>): SettingsForm<V> {
  const scope = useAppScope()
  const saved = show(settings)
  const form = useForm<V>(saved, {
    ...(check === undefined ? {} : { check }),
    send: async (values) => {
      const before = read(saved)
      await store(scope, read(values))
      toast(texts.common.saved, {
        undo: () =>
          void store(scope, before).catch((error: unknown) =>
            toast(errorMessage(error), { failed: true }),
          ),
      })
    },
  })
  // Resets the form when the settings were saved, reverted, or changed by somebody else.
  const written = JSON.stringify(saved)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the settings change.
  useEffect(() => form.reset(saved), [written])
  const canChange = useCanChangeSettings(settings)
  return { ...form, changed: JSON.stringify(form.values) !== written, canChange }
}
