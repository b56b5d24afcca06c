import type { ReactNode } from 'react'
import { SetUpList } from '../set-up/set-up.tsx'
import { SettingsFrame } from './settings-frame.tsx'

export function SetUpPage(): ReactNode {
  return (
    <SettingsFrame current="set-up">
      <SetUpList />
    </SettingsFrame>
  )
}
