# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# A private apt below build/: packages that only the guest or QEMU needs are unpacked
# there and not installed on the machine. Sourced by scripts of tests/*/.

vm=$(cd "$(dirname "$0")/../vm" && pwd)
top=$(cd "$vm/../.." && pwd)
build=$top/build
export LC_ALL=C

fail()
{
	echo "barepmu: $1: $2" >&2
	exit 125
}

# newer FILE SOURCE: true if FILE exists and is newer than the file SOURCE
newer()
{
	[ -n "$(find "$1" -newer "$2" 2>/dev/null)" ]
}

# Prints the URL of the Debian mirror in the machine's configuration of apt; nothing if apt has
# fetched no package lists from one.
apt_mirror()
{
	# shellcheck disable=SC2016
	apt-get indextargets 'Created-By: Packages' --format \
		'$(LABEL)|$(COMPONENT)|$(REPO_URI)' |
		awk -F '|' '$1 == "Debian" && $2 == "main" { print $3; exit }'
}

# apt_suites RELEASE: prints the suites of a Debian release; forky, Debian's testing, has no
# backports
apt_suites()
{
	case $1 in
	forky) echo "$1 $1-updates" ;;
	*) echo "$1 $1-updates $1-backports" ;;
	esac
}

# Prints the URL of the Debian mirror, after fetching the machine's package lists if there are none.
apt_mirror_known()
{
	url=$(apt_mirror)
	if [ -z "$url" ]; then
		echo "fetching the package lists of this machine" >&2
		apt-get -qq update || :
		url=$(apt_mirror)
	fi
	[ -n "$url" ] ||
		fail "apt" "no Debian mirror is known; run apt-get update"
	echo "$url"
}

# apt_prepare RELEASE | RELEASE-source: creates the private apt of a Debian release, or of its
# source packages, and fetches the package lists
apt_prepare()
{
	export APT_CONFIG="$build/apt/$1/apt.conf"
	[ ! -e "$build/apt/$1/stamp" ] || return 0
	mkdir -p "$build/apt/$1/state/lists/partial"
	: >"$build/apt/$1/status"
	unset APT_CONFIG
	url=$(apt_mirror_known)
	case $1 in
	*-source) type=deb-src suites=${1%-source} ;;
	*) type=deb suites=$(apt_suites "$1") ;;
	esac
	for suite in $suites; do
		printf '%s [signed-by=%s] %s %s main\n' "$type" \
			/usr/share/keyrings/debian-archive-keyring.gpg \
			"$url" "$suite"
	done >"$build/apt/$1/sources.list"
	cat >"$build/apt/$1/apt.conf" <<-CONF
	Dir::State "$build/apt/$1/state";
	Dir::State::status "$build/apt/$1/status";
	Dir::Cache "$build/apt/$1/cache";
	Dir::Etc::SourceList "$build/apt/$1/sources.list";
	Dir::Etc::SourceParts "/dev/null";
	Dir::Etc::PreferencesParts "/dev/null";
	Dir::Etc::Preferences "/dev/null";
	APT::Sandbox::User "root";
	APT::Install-Recommends "false";
	Acquire::Languages "none";
	CONF
	export APT_CONFIG="$build/apt/$1/apt.conf"
	apt_update "$1"
}

apt_update()
{
	echo "fetching the package lists of Debian $1" >&2
	apt-get -qq update ||
		fail "apt" "no package lists of $1; is the mirror reachable?"
	touch "$build/apt/$1/stamp"
}

# apt_retry RELEASE COMMAND...: runs COMMAND; if it fails, fetches new package lists and runs it
# once more
apt_retry()
{
	apt_release=$1
	shift
	"$@" >&2 && return 0
	apt_update "$apt_release"
	"$@" >&2 || fail "apt" "failed: $*; is the mirror reachable?"
}

# apt_extract DEBS DIR: unpacks packages and lists them as installed in the dpkg status of DIR
apt_extract()
{
	mkdir -p "$2/var/lib/dpkg/info"
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$2" || fail "$deb" "cannot be unpacked"
		dpkg-deb -f "$deb"
		printf 'Status: install ok installed\n\n'
	done >>"$2/var/lib/dpkg/status"
	rm -rf "$1"
}

# apt_root RELEASE DIR PACKAGE...: unpacks packages with their dependencies into an empty DIR
apt_root()
{
	apt_release=$1 apt_dir=$2
	shift 2
	apt_prepare "$apt_release"
	rm -rf "$apt_dir" "$apt_dir.debs"
	mkdir -p "$apt_dir" "$apt_dir.debs/partial"
	echo "unpacking into ${apt_dir#"$top"/}: $*" >&2
	apt_retry "$apt_release" apt-get -qq -y --download-only \
		-o "Dir::Cache::archives=$apt_dir.debs" install "$@"
	apt_extract "$apt_dir.debs" "$apt_dir"
}

# apt_only RELEASE DIR PACKAGE...: unpacks packages without their dependencies
apt_only()
{
	apt_release=$1 apt_dir=$2
	shift 2
	apt_prepare "$apt_release"
	mkdir -p "$apt_dir" "$apt_dir.debs"
	echo "unpacking into ${apt_dir#"$top"/}: $*" >&2
	(cd "$apt_dir.debs" && apt_retry "$apt_release" apt-get -qq download "$@")
	apt_extract "$apt_dir.debs" "$apt_dir"
}

# apt_source RELEASE DIR PACKAGE...: unpacks the upstream sources of each package to DIR/PACKAGE
apt_source()
{
	apt_release=$1 apt_dir=$2
	shift 2
	apt_prepare "$apt_release-source"
	mkdir -p "$apt_dir/archives"
	echo "unpacking into ${apt_dir#"$top"/}, the sources of: $*" >&2
	(cd "$apt_dir/archives" && apt_retry "$apt_release-source" \
		apt-get -qq source --download-only --only-source "$@")
	for package; do
		mkdir -p "$apt_dir/$package"
		tar -xf "$(find "$apt_dir/archives" -name "${package}_*.orig.tar.*[!c]")" \
			-C "$apt_dir/$package" --strip-components=1 ||
			fail "$package" "its source cannot be unpacked"
	done
	rm -rf "$apt_dir/archives"
}
