// A board to begin with: what a page without one offers.
export const EXAMPLE = {
  family: 'witness',
  text: 'panel 4x4\n+-+-+-+->\n|a| :b:b|\n+:+-+:+-+\n| |c| : |\n+-+:+-+:+\n: | | :a|\n+-+-+:+-+\n|c|c| |c|\n@-+-+-+-+\na = green star\nb = white square\nc = black square\n',
};
