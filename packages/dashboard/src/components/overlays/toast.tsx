import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { type ReactNode, useSyncExternalStore } from 'react'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'

interface Message {
  id: number
  text: string
  failed: boolean
  undo: (() => void) | undefined
}

let messages: readonly Message[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Message[]) {
  messages = next
  for (const listener of listeners) listener()
}

/** Shows a message; with `undo`, it has a button that reverts the action. */
export function toast(text: string, options: { failed?: boolean; undo?: () => void } = {}): void {
  last++
  const message = { id: last, text, failed: options.failed ?? false, undo: options.undo }
  change([...messages.slice(-2), message])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const remove = (id: number) => change(messages.filter((message) => message.id !== id))

function Shown({ message }: { message: Message }): ReactNode {
  const { id, text, failed, undo } = message
  const Icon = failed ? CircleAlert : CircleCheck
  return (
    <Radix.Root
      type={failed ? 'foreground' : 'background'}
      duration={undo || failed ? 10_000 : 5_000}
      onOpenChange={(open) => !open && remove(id)}
      className="flex animate-appear items-center gap-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-3 shadow-float"
    >
      <Icon size={16} className={failed ? 'text-failed' : 'text-live'} aria-hidden />
      <Radix.Description className="flex-1">{text}</Radix.Description>
      {undo && (
        <Radix.Action asChild altText={texts.common.undo} onClick={undo}>
          <Button variant="quiet">{texts.common.undo}</Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton icon={X} label={texts.common.close} />
      </Radix.Close>
    </Radix.Root>
  )
}

/** Rendered once, around the whole app. */
export function Toasts({ children }: { children: ReactNode }): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => messages)
  return (
    <Radix.Provider swipeDirection="down">
      {children}
      {shown.map((message) => (
        <Shown key={message.id} message={message} />
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-60 grid w-[min(26rem,calc(100vw-2rem))] gap-2 outline-none" />
    </Radix.Provider>
  )
}
