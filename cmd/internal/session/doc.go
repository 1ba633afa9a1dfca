// Package session has the command that watches: it looks at boards, answers them, and with
// --drive enters the answers. What it sees and does it tells an Audience: the terminal, its
// bell, pictures, the page, the overlay, and the log.
package session
