import type { MemberPreferences, MemberSettings } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { adoptSettings, platform } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { chooseLanguage, type InterfaceLanguage, language, languages, useTexts } from '../platform/texts.ts'
import { chooseTheme, type Theme, theme } from '../platform/theme.ts'
import { Checkbox, Select, zoneChoices } from '../ui/controls.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { Card } from '../ui/page.tsx'

/** What is kept for the person on the platform; the colours are kept on this device too. */
export function Settings({ memberId: id }: { memberId: string }) {
  const t = useTexts('account/settings')
  const interfaceLanguage = useStore(language)
  const shownTheme = useStore(theme)
  const settings = useLoad<MemberSettings>(`settings/${id}`, signal =>
    platform.member.getMemberSettings({ id }, { signal }),
  )
  const preferences = useLoad<MemberPreferences>(`preferences/${id}`, signal =>
    platform.member.getMemberPreferences({ id }, { signal }),
  )
  const save = useAction(async (body: { language?: string; timezone?: string }) => {
    const after = await platform.member.updateMemberSettings({ id, body })
    settings.change(() => after)
    adoptSettings(after)
    notify(t.saved)
  })
  const prefer = useAction(async (body: { theme?: Theme; presence?: 'visible' | 'invisible' }) => {
    const after = await platform.member.updateMemberPreferences({ id, body })
    preferences.change(() => after)
    notify(t.saved)
  })
  return (
    <Card title={t.title}>
      <Problem error={settings.error ?? preferences.error ?? save.error ?? prefer.error} />
      {!settings.value || !preferences.value ? (
        (settings.isLoading || preferences.isLoading) && <Loading />
      ) : (
        <div class="stack loose">
          <Select
            label={t.language}
            hint={t.languageHint}
            value={interfaceLanguage}
            choices={languages}
            isBusy={save.isRunning}
            onValue={value => {
              chooseLanguage(value as InterfaceLanguage)
              void save.run({ language: value })
            }}
          />
          <Select
            label={t.timezone}
            value={settings.value.timezone}
            choices={zoneChoices(settings.value.timezone)}
            isBusy={save.isRunning}
            onValue={timezone => void save.run({ timezone })}
          />
          <Select
            label={t.theme}
            value={shownTheme}
            choices={[
              { value: 'system', text: t.system },
              { value: 'light', text: t.light },
              { value: 'dark', text: t.dark },
            ]}
            onValue={value => {
              chooseTheme(value)
              void prefer.run({ theme: value })
            }}
          />
          <Checkbox
            label={t.invisible}
            checked={preferences.value.presence === 'invisible'}
            onCheck={isHidden => void prefer.run({ presence: isHidden ? 'invisible' : 'visible' })}
          />
        </div>
      )}
    </Card>
  )
}
