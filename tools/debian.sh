# Packages of another Debian release, unpacked into a folder: nothing is installed on the machine.
# Sourced by tools/swift and tools/rust, which have a function `die`.
# shellcheck shell=bash

# The mirror this machine takes Debian's main archive from, as apt itself understands its sources.
debian_mirror() {
  local codename
  # Not Debian: no name, which the next line answers.
  codename=$(. /etc/os-release && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-}") || true
  [ -n "$codename" ] || return 1
  apt-get --print-uris update 2>/dev/null |
    sed -n "s#^'\(.*\)/dists/$codename/InRelease' .*#\1#p" | head -n 1
}

# An apt state of our own under $1, for the suites $2…: the machine's settings (proxy,
# certificates), but none of its sources, hooks, package lists or installed packages. apt checks
# signatures and hashes as always.
write_apt_state() {
  local state=$1 mirror suite keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  shift
  mirror=$(debian_mirror) || true   # none is an error, with its reason, in the next line
  [ -n "$mirror" ] || die "found no Debian mirror in this machine's apt sources"
  [ -r "$keyring" ] || die "cannot read $keyring; install the package debian-archive-keyring"
  mkdir -p "$state/state/lists/partial" "$state/cache/archives/partial" "$state/log"
  : >"$state/status"
  for suite in "$@"; do
    echo "deb [arch=$(dpkg --print-architecture) signed-by=$keyring] $mirror $suite main"
  done >"$state/sources.list"
  cat >"$state/apt.conf" <<CONF
Dir::State "$state/state";
Dir::State::status "$state/status";
Dir::Cache "$state/cache";
Dir::Etc::sourcelist "$state/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::Log "$state/log";
Acquire::Languages "none";
APT::Install-Recommends "false";
APT::Sandbox::User "";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
#clear Acquire::IndexTargets::deb::DEP-11;
#clear Acquire::IndexTargets::deb::DEP-11-icons;
#clear Acquire::IndexTargets::deb::DEP-11-icons-small;
#clear Acquire::IndexTargets::deb::DEP-11-icons-hidpi;
#clear Acquire::IndexTargets::deb::DEP-11-icons-large;
#clear Acquire::IndexTargets::deb::DEP-11-icons-large-hidpi;
CONF
}
