import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Members of all tenants. former_user_id is the account of a deleted member, which a later erasure ends; the hotel of
  // home_ecosystem_id created the record, and its administrators may change name, phone and picture.
  await sql`
    create table if not exists members (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin null,
      former_user_id char(24) character set ascii collate ascii_bin null,
      home_ecosystem_id char(24) character set ascii collate ascii_bin null,
      first_name varchar(255) not null,
      last_name varchar(255) not null,
      email varchar(254) not null,
      live_email varchar(254) character set utf8mb4 collate utf8mb4_bin null,
      phone varchar(40) null,
      photo_url varchar(2048) null,
      is_super_admin tinyint(1) not null default 0,
      is_active tinyint(1) not null default 1,
      rested_at datetime(3) null,
      registered_at datetime(3) null,
      departing_until datetime(3) null,
      deleted_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key members_live_email (live_email),
      unique key members_user (user_id),
      key members_list (deleted_at, last_name, first_name, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists member_settings (
      member_id char(24) character set ascii collate ascii_bin not null primary key,
      is_invisible tinyint(1) not null default 0,
      chat_access_token varchar(2048) character set ascii collate ascii_bin null,
      settings json not null,
      preferences json not null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // When a member was last seen. A separate table, since updated_at of members drives the synchronisation.
  await sql`
    create table if not exists member_activity (
      member_id char(24) character set ascii collate ascii_bin not null primary key,
      seen_at datetime(3) not null,
      key member_activity_seen (seen_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Memberships of hotels, with the values that a hotel sets for a member. While status is pending, first_name,
  // last_name and email hold what the inviter typed.
  await sql`
    create table if not exists ecosystem_memberships (
      member_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_type varchar(64) character set ascii collate ascii_bin not null default 'hotel',
      permissions json not null,
      role varchar(12) character set ascii collate ascii_bin not null default 'member',
      is_owner tinyint(1) not null default 0,
      status varchar(12) character set ascii collate ascii_bin not null default 'active',
      first_name varchar(255) null,
      last_name varchar(255) null,
      email varchar(254) null,
      superior_id char(24) character set ascii collate ascii_bin null,
      dashboard_access tinyint(1) not null default 0,
      mobile_access tinyint(1) not null default 1,
      is_active tinyint(1) not null default 1,
      brought_member tinyint(1) not null default 0,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      primary key (member_id, ecosystem_id),
      key ecosystem_memberships_ecosystem (ecosystem_id, member_id),
      key ecosystem_memberships_below (superior_id, ecosystem_id, member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists workspaces (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(255) not null,
      description varchar(5000) null,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_type varchar(64) character set ascii collate ascii_bin not null default 'hotel',
      logo_url varchar(2048) null,
      settings json null,
      is_default tinyint(1) not null default 0,
      is_active tinyint(1) not null default 1,
      closed_at datetime(3) null,
      members_count int not null default 0,
      announced_at datetime(3) null,
      deleted_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      key workspaces_ecosystem (ecosystem_id, deleted_at, created_at),
      key workspaces_name (deleted_at, name)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Each membership repeats the member's columns that lists, searches and hierarchies read (hotel-memberships/copy.ts), so that an
  // index answers them: _list sorts and filters the members of a workspace, _role counts and orders, _below leads from
  // a superior to subordinates. is_veiled is 1 until the person accepts; lists then show only what the inviter typed.
  await sql`
    create table if not exists workspace_members (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_role varchar(64) character set ascii collate ascii_bin not null default 'member',
      permission_slugs json not null,
      status varchar(12) character set ascii collate ascii_bin not null default 'active',
      is_admin tinyint(1) not null default 0,
      is_veiled tinyint(1) not null default 0,
      typed_email varchar(254) null,
      joined_at datetime(3) not null default current_timestamp(3),
      left_at datetime(3) null,
      revision bigint unsigned not null default 0,
      sort_last varchar(255) not null default '',
      sort_first varchar(255) not null default '',
      search_text varbinary(880) not null default '',
      member_active tinyint(1) not null default 1,
      superior_id char(24) character set ascii collate ascii_bin null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      primary key (workspace_id, member_id),
      key workspace_members_member (member_id, left_at, joined_at),
      key workspace_members_revision (workspace_id, revision, member_id),
      key workspace_members_below (superior_id, workspace_id, left_at, sort_last, sort_first),
      key workspace_members_list
        (workspace_id, left_at, sort_last, sort_first, member_id, workspace_role, status, member_active, search_text),
      key workspace_members_role
        (workspace_id, workspace_role, left_at, sort_last, sort_first, member_id, status, member_active, joined_at,
          is_veiled)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // A revision per workspace. Every change of its members takes the next one and holds its lock until commit.
  await sql`
    create table if not exists workspace_revisions (
      workspace_id char(24) character set ascii collate ascii_bin not null primary key,
      revision bigint unsigned not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists permissions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      slug varchar(80) character set ascii collate ascii_bin not null,
      name varchar(255) not null,
      description varchar(5000) null,
      category varchar(40) character set ascii collate ascii_bin not null,
      resource varchar(40) character set ascii collate ascii_bin not null,
      action varchar(20) character set ascii collate ascii_bin not null,
      level varchar(20) character set ascii collate ascii_bin not null default 'workspace',
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key permissions_slug (slug)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists workspace_roles (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(255) not null,
      slug varchar(64) character set ascii collate ascii_bin not null,
      live_slug varchar(64) character set ascii collate ascii_bin null,
      description varchar(5000) null,
      is_system tinyint(1) not null default 0,
      is_default tinyint(1) not null default 0,
      deleted_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key workspace_roles_slug (workspace_id, live_slug)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists role_permissions (
      role_id char(24) character set ascii collate ascii_bin not null,
      permission_id char(24) character set ascii collate ascii_bin not null,
      conditions json null,
      created_at datetime(3) not null default current_timestamp(3),
      primary key (role_id, permission_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists teams (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(255) not null,
      live_name varchar(120) null,
      description varchar(5000) null,
      color varchar(64) character set ascii collate ascii_bin null,
      icon varchar(64) null,
      leader_id char(24) character set ascii collate ascii_bin null,
      is_active tinyint(1) not null default 1,
      deleted_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      key teams_list (workspace_id, deleted_at, name)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists team_members (
      team_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      role varchar(12) character set ascii collate ascii_bin not null default 'member',
      joined_at datetime(3) not null default current_timestamp(3),
      primary key (team_id, member_id),
      key team_members_member (member_id, workspace_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists departments (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(255) not null,
      description varchar(5000) null,
      code varchar(120) null,
      parent_id char(24) character set ascii collate ascii_bin null,
      manager_id char(24) character set ascii collate ascii_bin null,
      is_active tinyint(1) not null default 1,
      deleted_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      key departments_list (workspace_id, deleted_at, name),
      key departments_parent (parent_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists department_members (
      department_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      role varchar(40) character set ascii collate ascii_bin not null default 'member',
      joined_at datetime(3) not null default current_timestamp(3),
      primary key (department_id, member_id),
      key department_members_member (member_id, workspace_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await sql`
    create table if not exists onboardings (
      id char(24) character set ascii collate ascii_bin not null primary key,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      email_key varchar(254) character set utf8mb4 collate utf8mb4_bin generated always as (lower(email)) stored,
      first_name varchar(255) null,
      last_name varchar(255) null,
      token_digest char(64) character set ascii collate ascii_bin not null,
      invited_by char(24) character set ascii collate ascii_bin null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      workspace_role varchar(64) character set ascii collate ascii_bin not null default 'member',
      permissions json not null,
      status varchar(12) character set ascii collate ascii_bin not null default 'pending',
      accepted_at datetime(3) null,
      expires_at datetime(3) not null,
      refusal varchar(255) null,
      invitation_data json null,
      open_key varchar(280) character set utf8mb4 collate utf8mb4_bin null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key onboardings_token (token_digest),
      unique key onboardings_open (open_key),
      key onboardings_email (email_key, created_at),
      key onboardings_list (workspace_id, status, created_at, id),
      key onboardings_newest (workspace_id, created_at),
      key onboardings_created (created_at),
      key onboardings_sender (invited_by, created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // The audit log. Rows are only added; erasing a person removes their personal values. credential_id is the API
  // credential with which the actor made the change.
  await sql`
    create table if not exists audit_entries (
      position bigint unsigned not null auto_increment primary key,
      id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin null,
      actor_id varchar(64) character set ascii collate ascii_bin not null,
      actor_name varchar(255) not null,
      actor_type varchar(8) character set ascii collate ascii_bin not null,
      credential_id char(24) character set ascii collate ascii_bin null,
      action varchar(64) character set ascii collate ascii_bin not null,
      entity varchar(16) character set ascii collate ascii_bin not null,
      entity_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin null,
      old_values json null,
      new_values json null,
      created_at datetime(3) not null default current_timestamp(3),
      key audit_entries_list (workspace_id, created_at),
      key audit_entries_entity (entity_id),
      key audit_entries_member (member_id, workspace_id, created_at),
      key audit_entries_actor (actor_id, workspace_id, created_at),
      key audit_entries_age (created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // How many entries the log of a workspace has from before a time, so that a list counts only newer ones. The empty
  // workspace is for entries without one.
  await sql`
    create table if not exists audit_totals (
      workspace_id char(24) character set ascii collate ascii_bin not null primary key,
      counted_until datetime(3) not null,
      total bigint unsigned not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // The views are read by the news and notification services, which may read nothing else here.

  // Members who aren't erased, so that their content keeps their names. `is_active` says who may be notified: a member
  // with hotels needs one that has them active.
  await sql`
    create or replace view member_directory as
    select m.id as member_id, m.user_id, m.first_name, m.last_name, m.email, m.live_email, m.photo_url,
      coalesce(json_unquote(json_extract(s.settings, '$.language')), 'fr') as language,
      json_unquote(json_extract(s.settings, '$.timezone')) as timezone,
      (m.deleted_at is null and m.is_active = 1 and (
        exists (select 1 from ecosystem_memberships e
          where e.member_id = m.id and e.status = 'active' and e.is_active = 1)
        or not exists (select 1 from ecosystem_memberships e where e.member_id = m.id and e.status = 'active')
      )) as is_active
    from members m left join member_settings s on s.member_id = m.id
    where m.email not like '%@erased.invalid'
  `.execute(db)

  // The active members of a live workspace.
  await sql`
    create or replace view member_audience as
    select wm.workspace_id, wm.member_id, wm.workspace_role
    from workspace_members wm
    join members m on m.id = wm.member_id and m.deleted_at is null and m.is_active = 1
    join workspaces w on w.id = wm.workspace_id and w.deleted_at is null and w.is_active = 1 and w.closed_at is null
    where wm.status = 'active' and wm.left_at is null and wm.member_active = 1
  `.execute(db)

  // Live workspaces.
  await sql`
    create or replace view workspace_directory as
    select w.id as workspace_id, w.name, w.ecosystem_id,
      coalesce(json_unquote(json_extract(w.settings, '$.timezone')), 'Europe/Paris') as timezone
    from workspaces w
    where w.deleted_at is null and w.is_active = 1 and w.closed_at is null
  `.execute(db)
}
