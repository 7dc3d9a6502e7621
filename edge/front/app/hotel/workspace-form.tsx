import type { WorkspaceDetail } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { languageChoices, zoneChoices } from '../ui/choices.ts'
import { Select, TextArea, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { LogoRow } from './logo-row.tsx'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Name, logo, language and time zone of the workspace. */
export function WorkspaceForm({ workspace, onSaved }: { workspace: WorkspaceDetail; onSaved: () => Promise<void> }) {
  const t = useTexts('hotel/workspace-form')
  const context = useMemberContext()
  const { values, field } = useFields({
    name: workspace.name,
    description: workspace.description ?? '',
    language: textOf(workspace.settings?.['language']),
    'settings.timezone': textOf(workspace.settings?.['timezone']),
  })
  const { name, description, language, 'settings.timezone': timezone } = values
  const update = async (body: Parameters<typeof platform.member.updateWorkspace>[0]['body']) => {
    await platform.member.updateWorkspace({ id: workspace.id, body })
    await Promise.all([onSaved(), loadSession()])
    notify(t.saved)
  }
  const save = useAction(() => {
    // Settings that this page doesn't show stay as they are.
    const settings = { ...workspace.settings, ...(language ? { language } : {}), ...(timezone ? { timezone } : {}) }
    return update({ name: name.trim(), description: description.trim() || null, settings })
  })
  const saveLogo = useAction((logo_url: string | null) => update({ logo_url }))
  return (
    <section class="card" aria-labelledby="workspace">
      <h2 id="workspace">{t.workspace}</h2>
      <Problem error={saveLogo.error} />
      <LogoRow
        logo={context.workspace.logo_url}
        texts={{ name: t.logo, choose: t.chooseLogo, remove: t.removeLogo }}
        onLogo={address => void saveLogo.run(address)}
      />
      <ActionForm action={save} submit={t.save}>
        <TextField label={t.name} {...field('name', save)} required maxLength={255} />
        <TextArea label={t.description} {...field('description', save)} rows={3} maxLength={5000} />
        <div class="pair">
          <Select
            label={t.language}
            hint={t.languageHint}
            {...field('language', save)}
            choices={languageChoices(language, t.unset)}
          />
          <Select label={t.timezone} {...field('settings.timezone', save)} choices={zoneChoices(timezone, t.unset)} />
        </div>
      </ActionForm>
    </section>
  )
}
