#!/bin/bash
# Runs once, when the database is new: a schema and an account for every service, and the account that reads what the
# member service publishes. Passwords come from the environment: AUTH_DATABASE_PASSWORD and so on.
set -eu

# The password of an account; letters, digits, - and _ only, because it stands in SQL here and in an address later.
password_of() {
  local name="${1^^}_DATABASE_PASSWORD"
  local password="${!name:-}"
  if [[ ! $password =~ ^[A-Za-z0-9_-]{16,}$ ]]; then
    echo "$name must have at least 16 letters, digits, - or _" >&2
    exit 1
  fi
  printf '%s' "$password"
}

statements() {
  local name password
  for name in auth member hotel media news notification payment; do
    password=$(password_of "$name") || exit 1
    echo "CREATE DATABASE IF NOT EXISTS \`$name\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;"
    echo "CREATE USER IF NOT EXISTS '$name'@'%' IDENTIFIED BY '$password';"
    echo "GRANT ALL PRIVILEGES ON \`$name\`.* TO '$name'@'%';"
  done
  password=$(password_of member_reader) || exit 1
  echo "CREATE USER IF NOT EXISTS 'member_reader'@'%' IDENTIFIED BY '$password';"
  # A right needs a table to be given on and stays when that is dropped: the member service makes the views later.
  for name in member_directory member_audience member_teams workspace_directory; do
    echo "CREATE TABLE member.$name (id INT);"
    echo "GRANT SELECT ON member.$name TO 'member_reader'@'%';"
    echo "DROP TABLE member.$name;"
  done
}

sql=$(statements) || exit 1
MYSQL_PWD="$MYSQL_ROOT_PASSWORD" mysql --user=root <<<"$sql"
