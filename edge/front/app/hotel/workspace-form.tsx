import { useState } from 'preact/hooks'
import type { WorkspaceDetail } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { languageChoices, zoneChoices } from '../ui/choices.ts'
import { Button, Form, Select, TextArea, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { LogoRow } from './logo-row.tsx'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Name, logo, language and time zone of the workspace. */
export function WorkspaceForm({ workspace, onSaved }: { workspace: WorkspaceDetail; onSaved: () => Promise<void> }) {
  const t = useTexts('hotel/workspace-form')
  const context = useMemberContext()
  const [name, setName] = useState(workspace.name)
  const [description, setDescription] = useState(workspace.description ?? '')
  const [language, setLanguage] = useState(textOf(workspace.settings?.['language']))
  const [timezone, setTimezone] = useState(textOf(workspace.settings?.['timezone']))
  const save = useAction(async (changes: { logo_url: string | null } | undefined) => {
    // Settings that this page doesn't show stay as they are.
    const settings = { ...workspace.settings, ...(language ? { language } : {}), ...(timezone ? { timezone } : {}) }
    const body = changes ?? { name: name.trim(), description: description.trim() || null, settings }
    await platform.member.updateWorkspace({ id: workspace.id, body })
    await Promise.all([onSaved(), loadSession()])
    notify(t.saved)
  })
  return (
    <section class="card" aria-labelledby="workspace">
      <h2 id="workspace">{t.workspace}</h2>
      <Problem error={save.error} />
      <LogoRow
        logo={context.workspace.logo_url}
        texts={{ name: t.logo, choose: t.chooseLogo, remove: t.removeLogo }}
        onLogo={logo_url => void save.run({ logo_url })}
      />
      <Form onSubmit={() => void save.run(undefined)}>
        <TextField label={t.name} value={name} onValue={setName} error={save.fields['name']} required maxLength={255} />
        <TextArea
          label={t.description}
          value={description}
          onValue={setDescription}
          error={save.fields['description']}
          rows={3}
          maxLength={5000}
        />
        <div class="pair">
          <Select
            label={t.language}
            hint={t.languageHint}
            value={language}
            onValue={setLanguage}
            choices={languageChoices(language, t.unset)}
          />
          <Select
            label={t.timezone}
            value={timezone}
            onValue={setTimezone}
            error={save.fields['settings.timezone']}
            choices={zoneChoices(timezone, t.unset)}
          />
        </div>
        <div class="actions">
          <Button look="main" type="submit" isBusy={save.isRunning}>
            {t.save}
          </Button>
        </div>
      </Form>
    </section>
  )
}
