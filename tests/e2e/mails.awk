# mails.awk - invented list mail: awk -v n=20 -v form=rd [-v dir=FOLDER] -f ...
# form: rd, o, cl2 (an mbox on stdout), eml (files in FOLDER). Threads, ghosts,
# lines that begin with "From ", 8-bit text, ids that two mails share.

function date(i) {
	return sprintf("Mon, %d Jan 2024 %02d:%02d:%02d +0100", 1 + i % 28,
		       int(i / 3600) % 24, int(i / 60) % 60, i % 60)
}

function head(i, m) {
	m = "From: Person " i % 17 " <p" i % 17 "@example.org>\n" \
	    "To: list@lists.example.org\n" \
	    "Subject: " (i % 4 ? "Re: topic " int(i / 4) : "topic " i / 4) "\n" \
	    "Date: " date(i) "\n" \
	    "Message-ID: <m" (i % 50 == 49 ? i - 1 : i) "@example.org>\n"
	if (i % 4)
		m = m "In-Reply-To: <m" i - 1 "@example.org>\n" \
		    "References: <m" i - i % 4 "@example.org>" \
		    (i % 4 > 1 ? "\n <m" i - 1 "@example.org>" : "") "\n"
	else if (i % 12 == 8)
		m = m "In-Reply-To: <unseen" i "@example.org>\n"
	return m "List-Id: <list.lists.example.org>\n" \
	       "Content-Type: text/plain; charset=utf-8\n" \
	       "Content-Transfer-Encoding: 8bit\n"
}

function body(i, b, k) {
	b = "Hello,\n\n"
	if (i % 5 == 0)
		b = b "From here on it is text.\n\nFrom there, too.\n\n"
	for (k = 0; k < i % 20; k++)
		b = b "Line " k " of mail " i " with some words in it, \303\244.\n"
	return b "\n-- \nPerson " i % 17 "\n"
}

function quoted(text, pattern) {
	text = "\n" text
	gsub(pattern, "\n>&", text)
	gsub(/\n>\n/, "\n>", text)
	return substr(text, 2)
}

BEGIN {
	for (i = 0; i < n; i++) {
		h = head(i)
		b = body(i)
		if (form == "eml") {
			file = sprintf("%s/%06d.eml", dir, i)
			printf "%s\n%s", h, b >file
			close(file)
			continue
		}
		if (form == "cl2")
			h = h "Content-Length: " length(b) "\n"
		else
			b = quoted(b, form == "rd" ? "\n>*From " : "\nFrom ")
		printf "From p@example.org Mon Jan  1 00:00:00 2024\n%s\n%s\n",
		       h, b
	}
}
