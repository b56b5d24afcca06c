import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { DEVELOPERS } from '../../../../server/src/doors/dashboard/route.ts'
import type { ShownSettings } from '../../../../server/src/doors/dashboard/shapes-settings.ts'
import { get, keys, send } from '../../api.ts'
import { useMay } from '../../frame/me.ts'
import { toast } from '../../parts/toast.tsx'
import { type Form, problemOf, useForm } from '../../parts/use-form.ts'
import { type Place, usePlace } from '../../place.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'

const keyOf = ({ environment, aid }: Place) => keys.of(environment, aid, 'settings')

export function useSettings() {
  const place = usePlace()
  return useQuery({
    queryKey: keyOf(place),
    queryFn: ({ signal }) => get<ShownSettings>(place.path('settings'), {}, signal),
  })
}

export function useMayChange({ archived }: ShownSettings): boolean {
  return useMay(DEVELOPERS) && archived === null
}

/** Some settings, as the API takes them. */
type Change = Partial<Omit<ShownSettings, 'aid' | 'created' | 'archived' | 'defaults' | 'address'>>

async function store(place: Place, change: Change): Promise<void> {
  const next = await send<ShownSettings>('PATCH', place.path('settings'), change)
  queryClient.setQueryData(keyOf(place), next)
  // The frame shows the name, and lists the currency.
  await queryClient.invalidateQueries({ queryKey: keys.me })
}

interface Options<V extends Record<string, string>> {
  settings: ShownSettings
  /** What the fields show of them. */
  show: (settings: ShownSettings) => V
  check?: (values: V) => { readonly [K in keyof V]?: string | undefined }
  /** What the fields say. */
  read: (values: V) => Change
}

export interface SettingsForm<V extends Record<string, string>> extends Form<V> {
  changed: boolean
}

/** A form of some settings. What was saved can be taken back. */
export function useSettingsForm<V extends Record<string, string>>({
  settings,
  show,
  check,
  read,
}: Options<V>): SettingsForm<V> {
  const place = usePlace()
  const saved = show(settings)
  const form = useForm<V>(saved, {
    ...(check === undefined ? {} : { check }),
    send: async (values) => {
      const before = read(saved)
      await store(place, read(values))
      toast(texts.common.saved, {
        undo: () =>
          void store(place, before).catch((error: unknown) =>
            toast(problemOf(error), { failed: true }),
          ),
      })
    },
  })
  // Saved, taken back, or changed by somebody else.
  const written = JSON.stringify(saved)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the settings are others.
  useEffect(() => form.reset(saved), [written])
  return { ...form, changed: JSON.stringify(form.values) !== written }
}
