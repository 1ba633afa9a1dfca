// Package agenttest has what the agent's tests play with: a client that takes a line, one of
// lamps, a pillar on the screen, and pictures of panels.
package agenttest
