// Command onlooker looks at a puzzle on the screen, works out the answer, and
// shows it.
package main

func main() {}
