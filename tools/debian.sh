# Unpacks packages of another Debian release into a folder, without installing them. tools/swift and
# tools/rust source this file; they define `die`.
# shellcheck shell=bash

# Prints the mirror of Debian's main archive in this machine's apt sources.
debian_mirror() {
  local codename
  # On other systems the name stays empty.
  codename=$(. /etc/os-release; [ "${ID:-}" != debian ] || echo "${VERSION_CODENAME:-}")
  [ -n "$codename" ] || return 1
  apt-get --print-uris update 2>/dev/null |
    sed -n "s#^'\(.*\)/dists/$codename/InRelease' .*#\1#p" | head -n 1
}

# Makes an apt state in $1 for the suites $2…. It uses the machine's settings (proxy, certificates),
# but not its sources, hooks, package lists or installed packages. apt checks signatures and hashes
# as usual. APT_ARCHITECTURE is the architecture of the packages, by default this machine's.
write_apt_state() {
  local state=$1 mirror suite keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  local architecture=${APT_ARCHITECTURE:-$(dpkg --print-architecture)}
  shift
  mirror=$(debian_mirror) && [ -n "$mirror" ] || die "found no Debian mirror in this machine's apt sources"
  [ -r "$keyring" ] || die "cannot read $keyring; install the package debian-archive-keyring"
  mkdir -p "$state/state/lists/partial" "$state/cache/archives/partial" "$state/log"
  : >"$state/status"
  for suite in "$@"; do
    echo "deb [arch=$architecture signed-by=$keyring] $mirror $suite main"
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
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
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
