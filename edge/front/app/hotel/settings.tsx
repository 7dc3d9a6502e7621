import { useState } from 'preact/hooks'
import type { GetHotelResponse, Setting } from '../../../../gen/client/hotel.ts'
import type { WorkspaceDetail } from '../../../../gen/client/member.ts'
import { hotelAccents } from '../../../../services/kernel/base/colours/colours.ts'
import { useAction } from '../platform/action.ts'
import { fileAddress } from '../platform/addresses.ts'
import { useHotel } from '../platform/hotel.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Checkbox, languageChoices, Select, TextArea, TextField, zoneChoices } from '../ui/controls.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { PictureRow } from '../ui/uploads.tsx'
import { Section, useManagesHotel } from './section.tsx'

/** The settings of the hotel: those of its workspace, its record and its profile that the person may change. */
export function Settings() {
  const t = useTexts('hotel/settings')
  const { workspace, may } = useMemberContext()
  const { value: managesHotel, error: rightsError } = useManagesHotel()
  const managesWorkspace = may('manage_settings')
  const workspaceLoad = useLoad(managesWorkspace ? `workspace/${workspace.id}` : null, signal =>
    platform.member.getWorkspace({ id: workspace.id }, { signal }),
  )
  const hotel = useHotel()
  const profileId = (managesHotel && hotel.value?.settings?.id) || null
  const profile = useLoad(profileId ? `hotel-profile/${profileId}` : null, signal =>
    platform.hotel.getSetting({ id: profileId ?? '' }, { signal }),
  )
  const isLoaded =
    managesHotel !== undefined &&
    hotel.value !== undefined &&
    (!managesWorkspace || workspaceLoad.value !== undefined) &&
    (!profileId || profile.value !== undefined)
  const error = rightsError ?? workspaceLoad.error ?? hotel.error ?? profile.error
  const records = {
    workspace: workspaceLoad.value,
    hotel: managesHotel ? hotel.value : undefined,
    profile: profile.value,
    onSaved: async () => {
      await Promise.all([workspaceLoad.reload(), hotel.reload(), profile.reload(), loadSession()])
      notify(t.saved)
    },
  }
  return (
    <Section title={t.settings} path="/hotel/settings">
      <Problem error={error} />
      {!isLoaded && !error && <Loading />}
      {isLoaded && (
        <>
          <HotelLook {...records} />
          <SettingsForm {...records} />
        </>
      )}
    </Section>
  )
}

/** Logo and picture of the hotel, which are saved once they are chosen. */
function HotelLook({ workspace, profile, onSaved }: HotelRecords) {
  const t = useTexts('hotel/look')
  const saveLogo = useAction(async (logo_url: string | null) => {
    if (workspace) await platform.member.updateWorkspace({ id: workspace.id, body: { logo_url } })
    if (profile) await platform.hotel.updateSetting({ id: profile.id, body: { logo_url } })
    await onSaved()
  })
  const savePicture = useAction(async (picture_url: string | null) => {
    if (profile) await platform.hotel.updateSetting({ id: profile.id, body: { picture_url } })
    await onSaved()
  })
  if (!workspace && !profile) return null
  const logo = fileAddress(workspace?.logo_url ?? profile?.logo_url)
  const picture = fileAddress(profile?.picture_url)
  return (
    <section class="card hotel-look" aria-label={t.title}>
      <Problem error={saveLogo.error ?? savePicture.error} />
      <PictureRow
        folder="logos"
        texts={{ choose: t.chooseLogo, remove: t.removeLogo, hint: t.logoHint }}
        mayRemove={logo !== undefined}
        onPicture={address => void saveLogo.run(address)}
      >
        {logo ? <img src={logo} alt={t.logo} /> : <Icon name="hotel" size={48} />}
      </PictureRow>
      {profile && (
        <PictureRow
          folder="logos"
          texts={{ choose: t.choosePicture, remove: t.removePicture, hint: t.pictureHint }}
          mayRemove={picture !== undefined}
          onPicture={address => void savePicture.run(address)}
        >
          {picture ? <img class="broad" src={picture} alt={t.picture} /> : <Icon name="hotel" size={48} />}
        </PictureRow>
      )}
    </section>
  )
}

/** Where the platform keeps what people know as one hotel; undefined for what the person may not change. */
type HotelRecords = {
  workspace: WorkspaceDetail | undefined
  hotel: GetHotelResponse | undefined
  profile: Setting | undefined
  onSaved: () => Promise<void>
}

const contactNames = ['address', 'city', 'country', 'phone', 'email', 'website'] as const
const profileNames = ['check_in_time', 'check_out_time', 'currency', 'primary_color'] as const
const switches = ['enable_push', 'enable_email'] as const
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Everything that can be written, as the records have it. */
const valuesOf = ({ workspace, hotel, profile }: Omit<HotelRecords, 'onSaved'>) => ({
  name: hotel?.name ?? workspace?.name ?? '',
  workspaceName: workspace?.name ?? '',
  description: workspace?.description ?? '',
  language: textOf(workspace?.settings?.['language']) || (profile?.language ?? ''),
  timezone: textOf(workspace?.settings?.['timezone']) || (profile?.timezone ?? ''),
  address: hotel?.address ?? '',
  city: hotel?.city ?? '',
  country: hotel?.country ?? '',
  phone: hotel?.phone ?? '',
  email: hotel?.email ?? '',
  website: hotel?.website ?? '',
  check_in_time: profile?.check_in_time ?? '',
  check_out_time: profile?.check_out_time ?? '',
  currency: profile?.currency ?? '',
  primary_color: profile?.primary_color ?? '',
  enable_push: profile?.enable_push ?? false,
  enable_email: profile?.enable_email ?? false,
})

type Values = ReturnType<typeof valuesOf>

const withTrimmedTexts = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as Values

/** Sends what was changed to each record that has it. A workspace with a name of its own keeps it. */
async function saveChanges({ workspace, hotel, profile }: HotelRecords, before: Values, values: Values): Promise<void> {
  const changes = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== before[name as keyof Values]),
  ) as Partial<Values>
  const pick = (names: readonly (keyof Values)[]) =>
    Object.fromEntries(names.filter(name => name in changes).map(name => [name, changes[name]]))
  const settings = pick(['language', 'timezone'])
  const workspaceName = hotel && hasOwnName(before) ? changes.workspaceName : changes.name
  const bodies = {
    workspace: {
      ...(workspaceName && { name: workspaceName }),
      ...(changes.description !== undefined && { description: changes.description || null }),
      // Settings that this page doesn't show stay as they are.
      ...(Object.keys(settings).length > 0 && { settings: { ...workspace?.settings, ...settings } }),
    },
    hotel: Object.fromEntries(
      Object.entries(pick(['name', ...contactNames])).map(([key, value]) => [key, value || null]),
    ),
    profile: { ...settings, ...pick([...profileNames, ...switches]) },
  }
  const isChanged = (name: keyof typeof bodies) => Object.keys(bodies[name]).length > 0
  if (workspace && isChanged('workspace'))
    await platform.member.updateWorkspace({ id: workspace.id, body: bodies.workspace })
  if (hotel && isChanged('hotel')) await platform.hotel.updateHotel({ id: hotel.id, body: bodies.hotel })
  if (profile && isChanged('profile')) await platform.hotel.updateSetting({ id: profile.id, body: bodies.profile })
}

const hasOwnName = ({ name, workspaceName }: Values): boolean => workspaceName !== '' && workspaceName !== name

/** Name, language, colour, addresses and switches of the hotel in one form. */
function SettingsForm(records: HotelRecords) {
  const t = useTexts('hotel/settings-form')
  const { workspace, hotel, profile } = records
  // The records may be loaded again meanwhile, with what other administrators changed.
  const [before, setBefore] = useState(() => valuesOf(records))
  const { values, setValues, field } = useFields(before)
  const save = useAction(async () => {
    const sentValues = withTrimmedTexts(values)
    await saveChanges(records, before, sentValues)
    setBefore({ ...sentValues, workspaceName: hasOwnName(before) ? sentValues.workspaceName : sentValues.name })
    await records.onSaved()
  })
  const { language, timezone, primary_color: colour } = values
  const zoneFault = save.fields['timezone'] ?? save.fields['settings.timezone']
  const isAdjusted = colour !== '' && hotelAccents(colour).light !== colour.toLowerCase()
  const times = { required: true, type: 'time' as const }
  return (
    <section class="card" aria-label={t.settings}>
      <ActionForm action={save} submit={t.save}>
        <h2>{t.hotel}</h2>
        <div class="fit">
          <TextField label={t.name} {...field('name', save)} required maxLength={255} />
          {workspace && hotel && hasOwnName(before) && (
            <TextField label={t.workspaceName} {...field('workspaceName', save)} required maxLength={255} />
          )}
          {profile && (
            <TextField
              label={t.colour}
              hint={isAdjusted ? t.colourAdjusted : t.colourHint}
              {...field('primary_color', save)}
              type="color"
            />
          )}
        </div>
        {workspace && <TextArea label={t.description} {...field('description', save)} rows={2} maxLength={5000} />}
        <h2>{t.languageAndTimes}</h2>
        <div class="fit">
          <Select
            label={t.language}
            hint={t.languageHint}
            {...field('language', save)}
            choices={languageChoices(language, t.unset)}
          />
          <Select
            label={t.timezone}
            {...field('timezone', save)}
            error={zoneFault}
            choices={zoneChoices(timezone, t.unset)}
          />
          {profile && (
            <>
              <TextField label={t.checkIn} {...field('check_in_time', save)} {...times} />
              <TextField label={t.checkOut} {...field('check_out_time', save)} {...times} />
              <TextField label={t.currency} {...field('currency', save)} required maxLength={3} />
            </>
          )}
        </div>
        {hotel && (
          <>
            <h2>{t.contact}</h2>
            <div class="fit">
              {contactNames.map(name => (
                <TextField
                  key={name}
                  label={t[name]}
                  {...field(name, save)}
                  type={name === 'phone' ? 'tel' : name === 'email' ? 'email' : 'text'}
                  maxLength={name === 'website' ? 2000 : 200}
                />
              ))}
            </div>
          </>
        )}
        {profile && (
          <>
            <h2>{t.notifications}</h2>
            {switches.map(name => (
              <Checkbox
                key={name}
                label={t[name]}
                checked={values[name]}
                onCheck={isOn => setValues({ ...values, [name]: isOn })}
              />
            ))}
          </>
        )}
      </ActionForm>
    </section>
  )
}
