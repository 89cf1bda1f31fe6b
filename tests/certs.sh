#!/bin/sh
# certs.sh DIR - certificates for servers on loopback, each with its key in
# DIR/NAME.pem, and DIR/ca.crt, which signed "good", "expired" and "wronghost";
# "alien" is signed by nobody's CA, "selfsigned" by itself
set -eu
mkdir -p "$1"
cd "$1"
exec 2>openssl.log

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }

authority() { # NAME
	key "$1"
	openssl req -x509 -new -key "$1.key" -subj "/CN=test $1" -days 3650 \
		-out "$1.crt"
	: >"$1.index"
	cat >"$1.conf" <<-END
	[ca]
	default_ca = here
	[here]
	database = $1.index
	new_certs_dir = .
	rand_serial = yes
	default_md = sha256
	policy = any
	copy_extensions = copy
	unique_subject = no
	[any]
	commonName = supplied
	END
}

server() { # NAME CA NAMES [OPTION...]
	name=$1 ca=$2 names=$3
	shift 3
	key "$name"
	openssl req -new -key "$name.key" -subj "/CN=server" \
		-addext "subjectAltName=$names" -out "$name.csr"
	openssl ca -batch -notext -config "$ca.conf" -keyfile "$ca.key" \
		-cert "$ca.crt" "$@" -in "$name.csr" -out "$name.crt" >/dev/null
	cat "$name.crt" "$name.key" >"$name.pem"
}

here=DNS:localhost,IP:127.0.0.1
authority ca
authority nobody
server good ca $here -days 3650
server wronghost ca DNS:elsewhere.example.org -days 3650
server expired ca $here -startdate 20200101000000Z -enddate 20200201000000Z
server alien nobody $here -days 3650
key selfsigned
openssl req -x509 -new -key selfsigned.key -subj /CN=localhost -days 3650 \
	-addext subjectAltName=$here -out selfsigned.crt
cat selfsigned.crt selfsigned.key >selfsigned.pem
