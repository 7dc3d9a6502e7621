// Written by npm run gen from gen/openapi/hotel.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** The application to create. */
export type CreateChatAppRequest = {
  /** Hotel that gets the application. */
  hotelId: string
  /** Name of the application, 1 to 120 characters. */
  name: string
}

/** The created application. */
export type CreateChatAppResponse = {
  /** Application id at the provider. */
  app_id: string
  /** Token of the application, encrypted in the platform's three-part form; never the clear one. */
  api_token: string
  /** Name of the application. */
  application_name: string
  /** Region at the provider: eu-1. */
  region: string
}

/** Fields of a new group. */
export type CreateGroupRequest = {
  /** Name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Address of the logo, http or https. */
  logo_url?: string | null
}

/** Fields of a new hotel. */
export type CreateHotelRequest = {
  /** Name, 1 to 120 characters. */
  name: string
  /** Street address, at most 255 characters. */
  address?: string | null
  /** City, at most 120 characters. */
  city?: string | null
  /** Country, at most 120 characters. */
  country?: string | null
  /** Telephone number, at most 40 characters. */
  phone?: string | null
  /** E-mail address of the hotel. */
  email?: string | null
  /** Web site, http or https. */
  website?: string | null
  /** Group that the hotel joins. */
  groupId?: string | null
  /** Type of the hotel. */
  typeId?: string | null
  /** Settings profile of the hotel. */
  settingId?: string | null
  /** First administrator. */
  administrator: HotelAdministratorInput
  /** Chosen plan; premium when absent. */
  subscription?: HotelSubscriptionInput | null
}

/** The hotel as set up. */
export type CreateHotelResponse = {
  /** Hotel id, which is the ecosystem id. */
  id: string
  /** Name. */
  name: string
  /** Workspace id. */
  workspace: string | null
  /** Id of the chat application. */
  chat_app_id: string | null
  /** Address of the QR code image. */
  qr_link: string | null
  /** Customer id at the payment provider. */
  payment_customer_id: string | null
  /** active after a complete set-up. */
  subscription_status: string | null
  /** Settings profile; null when none was named. */
  settings: HotelSettingReference | null
  /** Type; null when none was named. */
  type: HotelTypeReference | null
  /** First administrator. */
  administrator: HotelAdministrator | null
  /** End of the trial period. */
  trialEndsAt: string | null
  /** Creation time. */
  createdAt: string | null
}

/** Fields of a new profile; each has a default. */
export type CreateSettingRequest = {
  /** Time zone name; ValidationError on an unknown one. */
  timezone?: string | null
  /** Language code: fr, or fr-FR. */
  language?: string | null
  /** ISO 4217 code. */
  currency?: string | null
  /** Check-in from, HH:mm. */
  check_in_time?: string | null
  /** Check-out until, HH:mm. */
  check_out_time?: string | null
  /** Whether push notifications are sent. */
  enable_push?: boolean | null
  /** Whether notification e-mails are sent. */
  enable_email?: boolean | null
  /** Main colour as #RRGGBB or #RGB. */
  primary_color?: string | null
  /** Second colour as #RRGGBB or #RGB. */
  secondary_color?: string | null
  /** Whether text messages are sent. */
  enable_sms?: boolean | null
  /** Address of the logo, http or https. */
  logo_url?: string | null
}

/** Fields of a new type. */
export type CreateTypeRequest = {
  /** Unique name, 1 to 120 characters. */
  name: string
  /** Free text, at most 2000 characters. */
  description?: string | null
  /** Icon name or emoji, at most 64 characters. */
  icon?: string | null
}

/** Says what happened. */
export type DeleteGroupResponse = {
  /** For a person. */
  message: string
  /** Group id. */
  id: string
}

/** Says what happened. */
export type DeleteHotelResponse = {
  /** For a person. */
  message: string
  /** Hotel id. */
  id: string
}

/** Says what happened. */
export type DeleteTypeResponse = {
  /** For a person. */
  message: string
  /** Type id. */
  id: string
}

/** Weather of one day. */
export type ForecastDay = {
  /** Day, YYYY-MM-DD. */
  date: string
  /** Highest temperature in degrees Celsius. */
  temp_max: number
  /** Lowest temperature in degrees Celsius. */
  temp_min: number
  /** In words, in French. */
  description: string
}

/** What goes on in the chat application of a hotel. */
export type GetChatStatsResponse = {
  /** People with a chat account. */
  users_count: number
  /** Channels. */
  channels_count: number
  /** Messages sent since midnight UTC. */
  messages_today: number
  /** People who were active since midnight UTC. */
  active_users_today: number
}

/** One group with its hotels. */
export type GetGroupResponse = {
  /** Group id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** Address of the logo. */
  logo_url: string | null
  /** Live hotels of the group that the caller belongs to, by name. */
  hotels: GroupHotel[]
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** One hotel. */
export type GetHotelResponse = {
  /** Hotel id. */
  id: string
  /** Name. */
  name: string
  /** Street address. */
  address: string | null
  /** City. */
  city: string | null
  /** Country. */
  country: string | null
  /** Telephone number. */
  phone: string | null
  /** E-mail address. */
  email: string | null
  /** Web site. */
  website: string | null
  /** Workspace id. */
  workspace: string | null
  /** Id of the chat application. */
  chat_app_id: string | null
  /** Address of the QR code image. */
  qr_link: string | null
  /** Customer id at the payment provider. */
  payment_customer_id: string | null
  /** active, inactive or trial. */
  subscription_status: string | null
  /** Group; null for none. */
  group: HotelGroupReference | null
  /** Settings profile; null for none. */
  settings: HotelSettingReference | null
  /** Type; null for none. */
  type: HotelTypeReference | null
  /** False when the hotel is at rest. */
  isActive: boolean
  /** End of the trial period; null when there is none. */
  trialEndsAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Weather of a city. */
export type GetWeatherResponse = {
  /** City, as the provider spells it. */
  city: string
  /** Country code. */
  country: string
  /** Degrees Celsius. */
  temperature: number
  /** Degrees Celsius as a person feels them. */
  feels_like: number
  /** Relative humidity in percent. */
  humidity: number
  /** In words, in French. */
  description: string
  /** Icon code of the provider. */
  icon: string
  /** Metres per second. */
  wind_speed: number
  /** The next days, soonest first. */
  forecast: ForecastDay[]
}

/** A group as answered. */
export type Group = {
  /** Group id. */
  id: string
  /** Name. */
  name: string
  /** Free text. */
  description: string | null
  /** Address of the logo. */
  logo_url: string | null
  /** Live hotels of the group that the caller belongs to. */
  hotelsCount: number
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A hotel as seen in its group. */
export type GroupHotel = {
  /** Hotel id. */
  id: string
  /** Name. */
  name: string
  /** City. */
  city: string | null
  /** active, inactive or trial. */
  subscription_status: string | null
}

/** The first administrator as created. */
export type HotelAdministrator = {
  /** Member id. */
  id: string
  /** E-mail address. */
  email: string
}

/** The first administrator of a new hotel; gets an invitation by e-mail. */
export type HotelAdministratorInput = {
  /** E-mail address. */
  email: string
  /** First name, 1 to 120 characters. */
  firstName: string
  /** Last name, 1 to 120 characters. */
  lastName: string
}

/** Group of a hotel. */
export type HotelGroupReference = {
  /** Group id. */
  id: string
  /** Name. */
  name: string
}

/** Settings profile of a hotel, in short. */
export type HotelSettingReference = {
  /** Profile id; null for the documented defaults, which a hotel without a profile has. */
  id: string | null
  /** Time zone name. */
  timezone: string
  /** ISO 4217 code. */
  currency: string
  /** Main colour as #RRGGBB or #RGB. */
  primary_color: string
}

/** The subscription of a new hotel. */
export type HotelSubscriptionInput = {
  /** Slug of a plan that the payment service offers: premium. ValidationError on an unknown one. */
  plan: string
}

/** A hotel as listed. */
export type HotelSummary = {
  /** Hotel id. */
  id: string
  /** Name. */
  name: string
  /** City. */
  city: string | null
  /** Country. */
  country: string | null
  /** Workspace id. */
  workspace: string | null
  /** Id of the chat application. */
  chat_app_id: string | null
  /** active, inactive or trial. */
  subscription_status: string | null
  /** Group; null for none. */
  group: HotelGroupReference | null
  /** Type; null for none. */
  type: HotelTypeReference | null
  /** False when the hotel is at rest. */
  isActive: boolean
}

/** A type as answered. */
export type HotelType = {
  /** Type id. */
  id: string
  /** Unique name. */
  name: string
  /** Free text. */
  description: string | null
  /** Icon name or emoji. */
  icon: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** Type of a hotel. */
export type HotelTypeReference = {
  /** Type id. */
  id: string
  /** Name. */
  name: string
  /** Icon name or emoji. */
  icon: string | null
}

/** Groups. */
export type ListGroupsResponse = {
  /** Groups by name. */
  data: Group[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of hotels. */
export type ListHotelsResponse = {
  /** Hotels by name. */
  data: HotelSummary[]
  /** Totals. */
  meta: PageMeta | null
}

/** Profiles. */
export type ListSettingsResponse = {
  /** Profiles, oldest first. */
  data: Setting[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** A page of runs. */
export type ListSetupsResponse = {
  /** Runs, newest first. */
  data: Setup[]
  /** Totals. */
  meta: PageMeta | null
}

/** All types. */
export type ListTypesResponse = {
  /** Types by name. */
  data: HotelType[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** The meta part of a paginated answer (document 1, tenancy rule 6). */
export type PageMeta = {
  /** Records that match, over all pages. */
  total: number
  /** The page answered, from 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** Says what happened. */
export type RestoreHotelResponse = {
  /** For a person. */
  message: string
  /** Hotel id. */
  id: string
}

/** A settings profile as answered. */
export type Setting = {
  /** Profile id; empty when these are the defaults. */
  id: string
  /** Time zone name, Europe/Paris by default. */
  timezone: string
  /** Language code, fr by default. */
  language: string
  /** Currency code, EUR by default. */
  currency: string
  /** False stops push notifications to the members of the hotel. */
  enable_push: boolean
  /** False stops notification e-mails to the members of the hotel. */
  enable_email: boolean
  /** False stops text messages, which is the default. */
  enable_sms: boolean
  /** Check-in from, HH:mm, 14:00 by default. */
  check_in_time: string
  /** Check-out until, HH:mm, 11:00 by default. */
  check_out_time: string
  /** Main colour as #RRGGBB or #RGB, #1E40AF by default. */
  primary_color: string
  /** Second colour as #RRGGBB or #RGB, #10B981 by default. */
  secondary_color: string
  /** Address of the logo. */
  logo_url: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** A run as answered. */
export type Setup = {
  /** Run id. */
  id: string
  /** Hotel that is set up or removed. */
  hotelId: string
  /** Name of the hotel. */
  hotelName: string
  /** create, delete, restore, rename (of the chat application) or chat (a further chat application). */
  kind: string
  /** running, completed, undoing, undone or parked. */
  status: string
  /** Steps in the order of the procedure. */
  steps: SetupStep[]
  /** What stopped the run; never a secret, never a provider's raw answer. */
  error: string | null
  /** Start of the run. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** One step of a run. */
export type SetupStep = {
  /** Place in the procedure, from 1. */
  position: number
  /** What it does: validate, record, qr-code, chat, workspace, storage, payment, administrator, event … */
  name: string
  /** pending, started, done, failed, undoing or undone. */
  status: string
  /** Attempts so far, forward and back. */
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  /** Start of the first attempt. */
  startedAt: string | null
  /** End of the last attempt. */
  finishedAt: string | null
}

/** Id, the changed fields and the time of the change. A field that was not named is left out; one that was cleared is null. */
export type UpdateHotelResponse = {
  /** Hotel id. */
  id: string
  /** Name, when it was changed. */
  name?: string
  /** Street address, when it was changed. */
  address?: string
  /** City, when it was changed. */
  city?: string
  /** Country, when it was changed. */
  country?: string
  /** Telephone number, when it was changed. */
  phone?: string
  /** E-mail address, when it was changed. */
  email?: string
  /** Web site, when it was changed. */
  website?: string
  /** Group id, when it was changed. */
  groupId?: string
  /** Settings profile id, when it was changed. */
  settingId?: string
  /** Type id, when it was changed. */
  typeId?: string
  /** Whether the hotel is in service, when that was changed. */
  isActive?: boolean
  /** Time of the change. */
  updatedAt: string | null
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** Every invalid field. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Hotel service. */
export type HotelOperations = {
  /** Creates the chat application of a hotel that has none, and stores it with the hotel. NotFoundError on an unknown hotel, ConflictError when it has one; 502 when the provider fails. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`hotelId`) · **Permission:** `manage_ecosystem` */
  createChatApp(
    input: {
      body: CreateChatAppRequest
    },
    options?: CallOptions,
  ): Promise<CreateChatAppResponse>
  /** Statistics of the hotel's chat application, from the provider. NotFoundError when the hotel has none; 502 when the provider fails.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`hotelId`) */
  getChatStats(
    input: {
      /** Hotel id. */
      hotelId: string
    },
    options?: CallOptions,
  ): Promise<GetChatStatsResponse>
  /** Creates a group. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** platform administrator */
  createGroup(
    input: {
      body: CreateGroupRequest
    },
    options?: CallOptions,
  ): Promise<Group>
  /** Deletes a group softly. Its hotels stay, without a group. NotFoundError.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: the counterpart of add. */
  deleteGroup(
    input: {
      /** Group id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteGroupResponse>
  /** Lists the groups with a hotel of the caller, by name; a platform administrator sees all.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listGroups(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListGroupsResponse>
  /** Answers one group with the hotels of it that the caller belongs to. NotFoundError when there are none; a platform administrator sees all.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  getGroup(
    input: {
      /** Group id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetGroupResponse>
  /** Changes the fields that the body names. NotFoundError.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: groups change their name and logo. */
  updateGroup(
    input: {
      /** Group id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New address of the logo, http or https. */
        logo_url?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Group>
  /** Creates a hotel and sets up its ecosystem in nine steps: record, QR code, chat application, workspace, storage, subscription, administrator, event. A failing step undoes all earlier ones and its error is answered, 502 for a provider. NotFoundError on an unknown group ("Group not found"), type or settings profile. A repeated Idempotency-Key answers the first result; UnprocessableError for another request under it. ConflictError while another set-up is in the way of this one.
   *
   * **Callers:** platform administrator */
  createHotel(
    input: {
      body: CreateHotelRequest
    },
    options?: CallOptions,
  ): Promise<CreateHotelResponse>
  /** Deletes a hotel softly: its members lose access, the subscription is cancelled and the chat application is deactivated, each retried until it is done. NotFoundError, ConflictError while it is still being restored.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`id`) · **Permission:** `manage_ecosystem` */
  deleteHotel(
    input: {
      /** Hotel id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteHotelResponse>
  /** Lists the hotels of the caller by name; a platform administrator sees all.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listHotels(
    input?: {
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
      /** Only hotels of this group. */
      groupId?: string
      /** Only hotels of this city, in any case. */
      city?: string
      /** Only hotels that are active, or that are not. */
      isActive?: boolean
    },
    options?: CallOptions,
  ): Promise<ListHotelsResponse>
  /** Answers one hotel. NotFoundError.
   *
   * **Callers:** person, credential, service key · **Tenant:** ecosystem (`id`) */
  getHotel(
    input: {
      /** Hotel id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<GetHotelResponse>
  /** Brings back a deleted hotel within its grace time, with the members that the deletion shut out and the rest of its trial; inactive when its trial is over and nobody pays. NotFoundError, ConflictError when the hotel is not deleted or the grace time is over.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: a hotel deleted by mistake within its grace time. */
  restoreHotel(
    input: {
      /** Hotel id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<RestoreHotelResponse>
  /** Lists runs, newest first.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: operators must find the runs that stopped. */
  listSetups(
    input?: {
      /** Only runs in this status. */
      status?: 'running' | 'completed' | 'undoing' | 'undone' | 'parked'
      /** Only runs of this hotel. */
      hotelId?: string
      /** Page from 1; 1 when absent. */
      page?: number
      /** Records per page; 20 when absent, and never more than 100 are answered. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListSetupsResponse>
  /** One run with its steps; shows how far a running set-up is. NotFoundError.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: the status of a running set-up. */
  getSetup(
    input: {
      /** Run id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Setup>
  /** Takes up a parked run again where it stopped. NotFoundError, ConflictError when it is not parked.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: parked runs must not stay parked. */
  resumeSetup(
    input: {
      /** Run id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Setup>
  /** Changes the fields that the body names; a new name also renames the chat application, another settings profile is told to the hotel's room by settings:updated. NotFoundError on the hotel, or on a group, type or profile that the body names.
   *
   * **Callers:** person, credential · **Tenant:** ecosystem (`id`) · **Permission:** `manage_ecosystem` */
  updateHotel(
    input: {
      /** Hotel id. */
      id: string
      body: {
        /** New name; cannot be cleared. */
        name?: string
        /** New street address. */
        address?: string | null
        /** New city. */
        city?: string | null
        /** New country. */
        country?: string | null
        /** New telephone number. */
        phone?: string | null
        /** New e-mail address. */
        email?: string | null
        /** New web site, http or https. */
        website?: string | null
        /** New group; platform administrators only, since a group spans tenants. */
        groupId?: string | null
        /** New settings profile; platform administrators, or one that a hotel of the caller uses. */
        settingId?: string | null
        /** New type. */
        typeId?: string | null
        /** False puts the hotel at rest; platform administrators only. */
        isActive?: boolean | null
      }
    },
    options?: CallOptions,
  ): Promise<UpdateHotelResponse>
  /** Creates a profile. What the body leaves out gets the documented default. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** platform administrator */
  createSetting(
    input: {
      body: CreateSettingRequest
    },
    options?: CallOptions,
  ): Promise<Setting>
  /** Lists the profiles of the caller's hotels, oldest first; a platform administrator sees all.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listSettings(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListSettingsResponse>
  /** Answers one profile. NotFoundError when no hotel of the caller uses it.
   *
   * **Callers:** person, credential · **Tenant:** own tenants
   *
   * Not documented elsewhere: a settings page shows one profile. */
  getSetting(
    input: {
      /** Profile id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<Setting>
  /** Changes the fields that the body names; needs the right on every hotel that uses the profile. Sends settings:updated to the room of each of these hotels. NotFoundError, ForbiddenError.
   *
   * **Callers:** person, credential · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem` */
  updateSetting(
    input: {
      /** Profile id. */
      id: string
      body: {
        /** New time zone name; ValidationError on an unknown one. */
        timezone?: string | null
        /** New language code. */
        language?: string | null
        /** New ISO 4217 code. */
        currency?: string | null
        /** New check-in time, HH:mm. */
        check_in_time?: string | null
        /** New check-out time, HH:mm. */
        check_out_time?: string | null
        /** Whether push notifications are sent. */
        enable_push?: boolean | null
        /** Whether notification e-mails are sent. */
        enable_email?: boolean | null
        /** New main colour as #RRGGBB or #RGB. */
        primary_color?: string | null
        /** New second colour as #RRGGBB or #RGB. */
        secondary_color?: string | null
        /** Whether text messages are sent. */
        enable_sms?: boolean | null
        /** New address of the logo, http or https. */
        logo_url?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<Setting>
  /** Creates a type. ConflictError when the name is taken. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** platform administrator */
  createType(
    input: {
      body: CreateTypeRequest
    },
    options?: CallOptions,
  ): Promise<HotelType>
  /** Deletes a type. NotFoundError, ConflictError while a hotel uses it.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: the counterpart of add. */
  deleteType(
    input: {
      /** Type id. */
      id: string
    },
    options?: CallOptions,
  ): Promise<DeleteTypeResponse>
  /** Lists all types by name.
   *
   * **Callers:** person, credential · **Tenant:** own tenants */
  listTypes(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListTypesResponse>
  /** Changes the fields that the body names. NotFoundError, ConflictError on a taken name.
   *
   * **Callers:** platform administrator
   *
   * Not documented elsewhere: a misspelt type must not stay for ever. */
  updateType(
    input: {
      /** Type id. */
      id: string
      body: {
        /** New unique name; cannot be cleared. */
        name?: string
        /** New free text. */
        description?: string | null
        /** New icon name or emoji. */
        icon?: string | null
      }
    },
    options?: CallOptions,
  ): Promise<HotelType>
  /** Weather now and in the next days; kept for ten minutes. While the provider is down the last good answer is given with Age and Warning headers. NotFoundError on an unknown city; 502 when the provider is down and nothing is kept.
   *
   * **Callers:** person */
  getWeather(
    input: {
      /** City name, 1 to 120 characters. */
      city: string
    },
    options?: CallOptions,
  ): Promise<GetWeatherResponse>
}

export const hotelRoutes: Routes<HotelOperations> = {
  createChatApp: {
    verb: 'POST',
    path: '/chat/create-app',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  getChatStats: {
    verb: 'GET',
    path: '/chat/stats/{hotelId}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createGroup: {
    verb: 'POST',
    path: '/group/add',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteGroup: {
    verb: 'DELETE',
    path: '/group/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listGroups: {
    verb: 'GET',
    path: '/group/get/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getGroup: {
    verb: 'GET',
    path: '/group/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateGroup: {
    verb: 'PATCH',
    path: '/group/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createHotel: {
    verb: 'POST',
    path: '/hotel/add',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteHotel: {
    verb: 'DELETE',
    path: '/hotel/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listHotels: {
    verb: 'GET',
    path: '/hotel/get/all',
    query: ['page', 'limit', 'groupId', 'city', 'isActive'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getHotel: {
    verb: 'GET',
    path: '/hotel/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  restoreHotel: {
    verb: 'POST',
    path: '/hotel/restore/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  listSetups: {
    verb: 'GET',
    path: '/hotel/setups',
    query: ['status', 'hotelId', 'page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getSetup: {
    verb: 'GET',
    path: '/hotel/setups/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  resumeSetup: {
    verb: 'POST',
    path: '/hotel/setups/{id}/resume',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  updateHotel: {
    verb: 'PATCH',
    path: '/hotel/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createSetting: {
    verb: 'POST',
    path: '/setting/add',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  listSettings: {
    verb: 'GET',
    path: '/setting/get/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  getSetting: {
    verb: 'GET',
    path: '/setting/get/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateSetting: {
    verb: 'PATCH',
    path: '/setting/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  createType: {
    verb: 'POST',
    path: '/type/add',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  deleteType: {
    verb: 'DELETE',
    path: '/type/delete/{id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listTypes: {
    verb: 'GET',
    path: '/type/get/all',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  updateType: {
    verb: 'PATCH',
    path: '/type/update/{id}',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getWeather: {
    verb: 'GET',
    path: '/weather/{city}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
}
